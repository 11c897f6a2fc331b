/**
 * Where somebody is: what stands behind `#`, as `name=value&…`. The first name is the page:
 * `#table=ID`, `#join=KEY`, `#seat=KEY`, `#new=GAME`, `#replay=ID`; nothing is the door.
 */
export interface Where {
  page: string;
  value: string;
  query: URLSearchParams;
}

function read(): Where {
  const query = new URLSearchParams(location.hash.slice(1));
  const [page = "home", value = ""] = [...query][0] ?? [];
  return { page, value, query };
}

class Router {
  where = $state.raw<Where>(read());

  constructor() {
    addEventListener("hashchange", () => (this.where = read()));
  }

  /** Go to a page; `replace` leaves no step back. */
  go(hash: string, replace = false): void {
    if (replace) {
      history.replaceState(null, "", hash || location.pathname);
      this.where = read();
    } else if (hash) location.hash = hash;
    else {
      history.pushState(null, "", location.pathname);
      this.where = read();
    }
  }
}

export const router = new Router();
