#!/usr/bin/env python3
"""The site can be built, no link on it leads nowhere, nothing is loaded from elsewhere, and its words are spelt right."""

import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import unittest

TOP = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = [TOP / "README.md", *sorted((TOP / "scripts/docs").rglob("*.md")), TOP / "traces/schema.md",
             TOP / "test/validation/FINDINGS.md", TOP / "test/validation/DEVIATIONS.md", TOP / "test/bench/MEASURED.md"]


class References(html.parser.HTMLParser):
    """What a page links to, what it loads, and which places it has."""

    def __init__(self, text):
        super().__init__()
        self.links, self.loads, self.places = [], [], set()
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        named = dict(attrs)
        if "id" in named:
            self.places.add(named["id"])
        if tag == "a" and "href" in named:
            self.links.append(named["href"])
        if tag in ("script", "img") and "src" in named:
            self.loads.append(named["src"])
        if tag == "link" and named.get("rel") == "stylesheet":
            self.loads.append(named["href"])


class Documents(unittest.TestCase):
    def test_links_between_documents_lead_to_files(self):
        for path in DOCUMENTS:
            for link in re.findall(r"\]\(([^)\s]+)\)", path.read_text(encoding="utf-8")):
                target = link.partition("#")[0]
                if re.match(r"[a-z]+:", link) or not target:
                    continue
                if path.is_relative_to(TOP / "scripts/docs/pages") and target.endswith(".md"):
                    continue  # a page of the site, some of which the build makes
                self.assertTrue((path.parent / target).exists(), f"{path}: {link}")

    @unittest.skipUnless(shutil.which("codespell"), "codespell is not installed (scripts/setup --dev)")
    def test_words_are_spelt_right(self):
        done = subprocess.run(["codespell", "--ignore-words-list", "fpr,nd,te,ser,wither", *map(str, DOCUMENTS)], capture_output=True, text=True)
        self.assertEqual(done.stdout, "")


@unittest.skipUnless(shutil.which("mkdocs"), "mkdocs is not installed (scripts/setup --dev)")
class Site(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        subprocess.run([TOP / "scripts/docs/build", os.environ["TESSERA"]], check=True, capture_output=True)
        cls.site = TOP / "build/site"
        cls.pages = {path: References(path.read_text(encoding="utf-8")) for path in cls.site.rglob("*.html") if path.name != "404.html"}

    def test_every_link_leads_somewhere(self):
        for path, page in self.pages.items():
            for link in page.links:
                if re.match(r"[a-z]+:", link):
                    continue
                file, _, place = link.partition("#")
                target = (path.parent / file).resolve() if file not in ("", ".") else path
                if target.is_dir():
                    target /= "index.html"
                self.assertTrue(target.exists(), f"{path.name}: {link}")
                if place and target in self.pages:
                    self.assertIn(place, self.pages[target].places | {"__nav", ""}, f"{path.name}: {link}")

    def test_nothing_is_loaded_from_elsewhere(self):
        for path, page in self.pages.items():
            for load in page.loads:
                self.assertNotRegex(load, r"^(https?:)?//", path.name)


if __name__ == "__main__":
    unittest.main()
