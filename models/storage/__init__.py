"""Databases that something is kept in: addresses, transactions, tables of records, migrations."""
