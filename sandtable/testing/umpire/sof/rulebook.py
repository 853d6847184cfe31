"""The checks of Storm of Fire: each chapter enters its own here."""

from sandtable.testing.umpire import Book

book = Book()
