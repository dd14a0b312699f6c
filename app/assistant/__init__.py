"""What assistants ask: relatedness as tools of the Model Context Protocol. The service never loads it."""
