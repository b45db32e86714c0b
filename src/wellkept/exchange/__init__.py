"""What other products export, taken into a memory; and a user's memories as files that people and programs read."""
