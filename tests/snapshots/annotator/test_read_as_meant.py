"""What the starter finds in everyday sentences: names, verbs, abbreviations, and whom surnames mean."""

from __future__ import annotations

import pytest

from snapshots.annotator import Annotator
from tests.support.annotated import starter_annotator, titles_in

AMENDMENT = "Amendment to the United States Constitution"


@pytest.fixture(scope="module")
def starter() -> Annotator:
    return starter_annotator()


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The Tigers lost to the Yankees in Detroit.", "Tigers"),
        ("He loves Heroes by David Bowie.", "Heroes"),
        ("He read a book by Queens in the library.", "Queens"),
        ("We go on with the song.", "go"),
        ("Trains to Canada will cross the river as it leaves the town.", "leaves"),
        ("They fly to Paris from Berlin.", "fly"),
        ("The first airplane to cross the Atlantic Ocean was built in Canada.", "cross"),
        pytest.param(
            *("Madonna is a pop star whose songs topped the charts.", "star"),
            marks=pytest.mark.xfail(reason="by these word vectors, too little doubts it", strict=True),
        ),
        ("Justice Kennedy wrote the opinion for the court.", "Kennedy"),
        ("Side effects of the drug are nausea and headache.", "Side effects"),
        ("Jordan scored.", "Jordan"),
        ("Jordan won.", "Jordan"),
        ("The Golden Gate Bridge is painted red.", "Bridge"),
        ("have a nice day", "nice"),
        ("What a nice day in Paris", "nice"),
        ("i like turkey sandwiches", "turkey"),
        ("the troops had to march through the city", "march"),
        ("Turkey shoots down Russian jet near Syrian border", "shoots"),
        ("Gates leaves Microsoft", "leaves"),
        ("Can penguins fly?", "fly"),
        ("How do planes fly?", "fly"),
        ("When did the Roman Empire fall?", "fall"),
        ("Should children drink milk?", "drink"),
        ("Sarah went to school.", "Sarah"),
        ("Benjamin ate pizza with his friends.", "Benjamin"),
        ("Silicon Valley companies hire engineers from India.", "Silicon"),
        ("Abbey Road is an album by the Beatles.", "Abbey"),
        ("Peace River flows through Canada.", "Peace"),
        ("OMG that is so funny.", "OMG"),
        ("Bugs are found with a debugger.", "Bugs"),
        ("Doctor Smith said that doctors help.", "doctors"),
        ("Peel the potatoes and boil them in salted water.", "Peel"),
        ("Press ESC to close the window on your computer.", "ESC"),
    ],
)
def test_what_is_not_meant(starter: Annotator, text: str, words: str) -> None:
    assert words not in titles_in(starter, text)


@pytest.mark.parametrize(
    ("text", "words", "title"),
    [
        ("Many people use Windows at home.", "Windows", "Microsoft Windows"),
        ("Apple unveiled the new phone.", "Apple", "Apple Inc."),
        ("Apple released the first iPhone.", "Apple", "Apple Inc."),
        ("apple and microsoft compete", "apple", "Apple Inc."),
        ("Oracle sells databases.", "Oracle", "Oracle Corporation"),
        ("Apple fell from the tree.", "Apple", "Apple"),
        ("At Microsoft she ate an apple.", "apple", "Apple"),
        ("Apple", "Apple", "Apple"),
        ("london is nice", "london", "London"),
        ("I love London.", "London", "London"),
        ("The Golden Gate Bridge is a bridge.", "Bridge", "Bridge"),
        ("They paddled down the Stikine River to the sea.", "River", "River"),
        ("Paris is expensive.", "Paris", "Paris"),
        ("Jordan is dry.", "Jordan", "Jordan"),
        ("flights from paris to nice", "nice", "Nice"),
        ("turkey joins nato", "turkey", "Turkey"),
        ("the weather in march", "march", "March"),
        ("Turkey shoots down Russian jet near Syrian border", "Turkey", "Turkey"),
        ("Greek islands off the coast", "islands", "Island"),
        ("The windows of the house were made of glass.", "windows", "Window"),
        ("The tiger and the lion hunt in India, and tigers swim.", "tigers", "Tiger"),
        ("She plays go and chess.", "go", "Go"),
        ("A star is a ball of hot gas in a galaxy.", "star", "Star"),
        ("The Obama administration announced new rules.", "Obama", "Barack Obama"),
        ("President Kennedy was shot in Dallas.", "Kennedy", "John F. Kennedy"),
        ("Python is a programming language.", "Python", "Python (programming language)"),
        ("Windows 10 was released by Microsoft.", "Windows", "Microsoft Windows"),
        ("Can penguins fly?", "penguins", "Penguin"),
        ("A fly sat on the horse.", "fly", "Fly"),
        ("Sarah was the wife of Abraham and the mother of Isaac.", "Sarah", "Sarah"),
        ("David", "David", "David"),
        ("Silicon is a chemical element.", "Silicon", "Silicon"),
        ("Silicon Valley has silicon and money.", "Silicon", "Silicon"),
        ("President Bush spoke in Washington.", "Bush", "George W. Bush"),
        ("OMG", "OMG", "Object Management Group"),
        ("The US Senate voted on the law.", "US Senate", "United States Senate"),
        ("The U.S. Supreme Court ruled.", "U.S. Supreme Court", "Supreme Court of the United States"),
        ("The UN Security Council met.", "UN Security Council", "United Nations Security Council"),
        ("The U.S. economy grew fast.", "U.S.", "United States"),
        ("US troops left Iraq.", "US", "United States"),
        ("The First Amendment protects speech.", "First Amendment", f"First {AMENDMENT}"),
        ("The Fourteenth Amendment was ratified.", "Fourteenth Amendment", f"Fourteenth {AMENDMENT}"),
        ("The First World War ended in 1918.", "First World War", "World War I"),
    ],
)
def test_what_is_meant(starter: Annotator, text: str, words: str, title: str) -> None:
    assert titles_in(starter, text)[words] == title
