"""Pairs of terms and tuples of pairs as BiRD's: Asaadi et al. 2019, sections 3.1 and 3.2."""
