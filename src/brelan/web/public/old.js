// Says at once that this browser is too old, rather than after a while. Written for browsers of any age.
(function () {
  var isNew =
    "noModule" in document.createElement("script") &&
    "WebSocket" in window &&
    "fetch" in window &&
    "CSS" in window &&
    typeof Array.prototype.at === "function" &&
    typeof Object.hasOwn === "function" &&
    typeof HTMLDialogElement === "function" &&
    CSS.supports("container-type", "size");
  var old = document.getElementById("old");
  if (!isNew && old) old.className = "shown";
})();
