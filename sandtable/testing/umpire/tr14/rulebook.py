"""The checks of the 2014 test rules are entered here, each by the module of its chapter."""

from sandtable.testing.umpire import Book

book = Book()
