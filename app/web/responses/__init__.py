"""How an answer is made and sent: on the threads, by turns, tagged, as a stream."""
