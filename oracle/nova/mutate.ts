import type { Random } from '../harness/random'

const at = (random: Random, text: string): number => Math.floor(random.next() * (text.length + 1))

/** JSON text with one slip of a pen: another quote, a comma too many, a missing character, no object at all. */
export const mutate = (random: Random, text: string): string =>
  random.pick<() => string>([
    () => text.replaceAll('"', "'"),
    () => text.replace(/\}$/, ',}'),
    () => `[${text}]`,
    () => `${text};`,
    () => ` ${text}\t`,
    () => `\ufeff${text}`,
    () => text.replace(/"[^"]*"\}$/, 'NaN}'),
    () => text.replace(/"[^"]*"\}$/, '"\u0001"}'),
    () => text.replace(/"([^"]*)"\}$/, '"\\u00$1"}'),
    () => {
      const offset = at(random, text)
      return text.slice(0, offset) + text.slice(offset + 1)
    },
    () => random.pick(['', 'null', '1', '"gpu"', '[]', '{}', 'gpu', 'true']),
  ])()
