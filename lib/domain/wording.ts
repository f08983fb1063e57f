/** The first few of a list: `a, b and 3 more`. */
export const listText = (items: readonly string[], max = 3): string => {
  const shown = items.slice(0, items.length === max + 1 ? max + 1 : max)
  const rest = items.length - shown.length
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`
}

/** Who did something, as people read it: `user:anna@Default` → `anna@Default`, `system` → `the console`. */
export const actorLabel = (actor: string): string =>
  actor === 'system' ? 'the console' : actor.replace(/^user:/, '')
