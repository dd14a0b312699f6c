"""Makes relatedness data: pairs by published protocols, judgements, agreement, scores."""
