// What is wider than its place scrolls from the keyboard, too.
const reachable = () => {
  for (const place of document.querySelectorAll("pre, .md-typeset__scrollwrap")) {
    if (place.scrollWidth > place.clientWidth || place.scrollHeight > place.clientHeight) place.tabIndex = 0;
    else place.removeAttribute("tabindex");
  }
};
addEventListener("load", reachable);
addEventListener("resize", reachable);
