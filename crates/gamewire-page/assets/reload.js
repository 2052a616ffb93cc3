// Loads the page again if one of its files could not be loaded, as when its connection was closed on a busy machine: the
// browser does not try it a second time, and no other script runs then.

addEventListener(
  "error",
  (event) => {
    if (event.target instanceof HTMLElement) setTimeout(() => location.reload(), 1000);
  },
  true,
);
