/** A route and the script that its first load fetches, gzipped, in kB of 1000 bytes. */
export type RouteScript = { route: string; kb: number }

/** kB by route; `*` holds for every route without its own entry. */
export type ScriptBudgets = Readonly<Record<string, number>>

export const BUDGETS_FILE = 'scripts/budgets/script-budgets.json'

/** One sentence for each route over its budget, and for each budget of a route that the build does not have. */
export const overBudget = (routes: readonly RouteScript[], budgets: ScriptBudgets): string[] => {
  const over = routes.flatMap(({ route, kb }) => {
    const budget = budgets[route] ?? budgets['*']
    if (budget === undefined)
      return [`${route} has no budget: give it one in ${BUDGETS_FILE}, or one to "*".`]
    if (kb <= budget) return []
    return [
      `${route} loads ${kb.toFixed(1)} kB of script (gzip) at first, over its budget of ${budget} kB: load later what the first paint does not need (next/dynamic, import()), or raise the budget in ${BUDGETS_FILE} and say why.`,
    ]
  })
  const known = new Set(routes.map(({ route }) => route))
  const idle = Object.keys(budgets).filter((route) => route !== '*' && !known.has(route))
  return [
    ...over,
    ...idle.map(
      (route) => `${route} has a budget, but the build has no such route: remove it from ${BUDGETS_FILE}.`,
    ),
  ]
}
