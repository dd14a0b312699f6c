"""What a hostile client does: to a server of the tests' own, or to the one that WORT_ATTACK_URL names.

``WORT_ATTACK_URL=http://127.0.0.1:8000 python -m pytest tests/attacks`` tries a server that runs elsewhere.
Do so with servers of your own alone: the attacks are bounded, but they are attacks.
"""
