"""Which annotations are doubted: by the words around, by case, by the names that stand beside them."""
