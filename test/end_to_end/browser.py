"""Opens a page in headless Chromium, without a network: what it asks for, what it complains about, what it shows.

Needs Debian's chromium, chromium-driver and python3-selenium (scripts/setup --dev).
"""

import json
import pathlib
import shutil
import tempfile
import time

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
except ImportError:
    webdriver = None

CHROMIUM, DRIVER = shutil.which("chromium"), shutil.which("chromedriver")
IS_HERE = bool(webdriver and CHROMIUM and DRIVER)
MISSING = "chromium, chromium-driver or python3-selenium is not installed (scripts/setup --dev)"
OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--hide-scrollbars")


class Browser:
    """A window of a browser of its own, which is closed at the end of a `with`."""

    def __init__(self):
        self.profile = tempfile.TemporaryDirectory(prefix="tessera-chromium-", ignore_cleanup_errors=True)
        options = webdriver.ChromeOptions()
        options.binary_location = CHROMIUM
        for option in (*OPTIONS, f"--user-data-dir={self.profile.name}"):
            options.add_argument(option)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        self.driver = webdriver.Chrome(options=options, service=Service(DRIVER))

    def look(self, width=1280, is_dark=False):
        """How wide the window is, and whether its user likes it dark."""
        self.command("Emulation.setDeviceMetricsOverride", {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": False})
        self.command("Emulation.setEmulatedMedia",
                     {"media": "", "features": [{"name": "prefers-color-scheme", "value": "dark" if is_dark else "light"}]})

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.driver.quit()
        self.profile.cleanup()

    def command(self, name, arguments):
        return self.driver.execute_cdp_cmd(name, arguments)

    def run(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def open(self, path, timeout):
        """Waits for the page to say that it is ready."""
        self.driver.get("data:text/html,<title>empty</title>")  # away from the browser's own first page
        self.driver.get_log("performance")
        self.driver.get(pathlib.Path(path).resolve().as_uri())
        end = time.monotonic() + timeout
        while not self.run("return document.body.dataset.ready"):
            if time.monotonic() > end:
                raise TimeoutError(f"{path} is not ready after {timeout} s: {self.complaints()}")
            time.sleep(0.05)

    def complaints(self):
        return [entry["message"] for entry in self.driver.get_log("browser")]

    def requests(self):
        """The addresses that were asked for since the page was opened."""
        messages = (json.loads(entry["message"])["message"] for entry in self.driver.get_log("performance"))
        return [message["params"]["request"]["url"] for message in messages if message["method"] == "Network.requestWillBeSent"]

    def press(self, *keys):
        for key in keys:
            self.driver.switch_to.active_element.send_keys(key)
