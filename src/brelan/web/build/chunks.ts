/**
 * Which file of the bundle a module goes into. Each file costs a request, and each module that a page
 * does not need costs its weight, so what pages share is sorted by where it is needed: behind the first
 * page, at a table, on another page.
 */

interface Module {
  isEntry: boolean;
  importers: readonly string[];
  dynamicImporters: readonly string[];
}

interface Graph {
  getModuleInfo(id: string): Module | null;
}

const page = (names: string): RegExp => new RegExp(`[\\\\/]pages[\\\\/](${names})\\.svelte$`);
const SHOWS_ALL = page("Parts|Credits"); // these pages may load what others have
const MATCH = page("Replay|Analysis|Learn"); // needs more or less what a table needs
const HOME = new RegExp(`${page("Home").source}|[\\\\/]web[\\\\/]Miniature\\.svelte$`);
const TABLE = new RegExp(`${page("Table").source}|[\\\\/]web[\\\\/]index\\.ts$`);
const GAME = /[\\/]games[\\/]([^\\/]+)[\\/]web[\\/]/;

/** The name of the file for a module that pages share; null: it stays with the page that needs it. */
export function chunkOf(id: string, graph: Graph): string | null {
  const all = rootsOf(id, graph);
  if (all.some((root) => graph.getModuleInfo(root)?.isEntry)) return "first";
  const roots = all.filter((root) => !SHOWS_ALL.test(root));
  const [game, ...others] = new Set(roots.map((root) => GAME.exec(root)?.[1]));
  if (game && others.length === 0) return all.length > 1 ? game : null;
  if (roots.length < 2) return null;
  const isAt = (where: RegExp) => roots.some((root) => where.test(root));
  const [home, table] = [isAt(HOME), isAt(TABLE)];
  if (!home && !table) return null;
  const more = roots.some((root) => ![HOME, TABLE, MATCH].some((where) => where.test(root)));
  return [home && "home", table && "table", more && "more"].filter(Boolean).join("-");
}

/** The modules with which a module is loaded: entries, and those that are imported when they are wanted. */
function rootsOf(id: string, graph: Graph): string[] {
  const reached = new Set([id]);
  const roots: string[] = [];
  for (const each of reached) {
    const module = graph.getModuleInfo(each);
    if (!module) continue;
    if (module.isEntry || module.dynamicImporters.length > 0) roots.push(each);
    for (const importer of module.importers) reached.add(importer);
  }
  return roots;
}
