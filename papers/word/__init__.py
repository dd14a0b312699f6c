"""What the paper on WORD tried beside its model (Ein-Dor et al. 2018): rejected measures, other learners."""
