"""From the pages of a dump to a snapshot: stages, and the engines that run them; excerpts of snapshots."""
