"""What a report shows, declared once: sections of sentences, tables and charts, and the HTML page of them."""
