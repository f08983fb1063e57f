import 'server-only'
import { editDistance } from '@/lib/util/edit-distance'
import { fileSettingOf, SECRET_SETTINGS } from './secret-files'

/** Of the tests and the agent, which may share an environment with the console. */
const OTHERS =
  /^SLICEBOARD_(LONG|ACCESS|RUN_\w+|SHORT_FAULTS|WITH_POSTGRES|\w+_SEED|CRASH_\w+|CHAOS\w*|RACES|STEPS|HISTORIES|HISTORY_SECONDS|TOKEN|JOIN_TOKEN|SERVER|SYSTEMCTL)$/

/** Settings of earlier releases, and what replaces them. */
const REMOVED = [
  { pattern: /^SLICEBOARD_WEBHOOK_(URL|SECRET)(_FILE)?$/, instead: 'Add a webhook in Settings → Webhooks.' },
]

/** The one setting whose last words were left out, such as the unit, or the closest one within a third of the letters. */
const closest = (name: string, names: readonly string[]): string | null => {
  const [longer, ...others] = names.filter((candidate) => candidate.startsWith(`${name}_`))
  if (longer !== undefined && others.length === 0) return longer
  const [best] = names
    .map((candidate) => ({ candidate, away: editDistance(name, candidate) }))
    .sort((a, b) => a.away - b.away)
  const own = name.length - 'SLICEBOARD_'.length
  return best === undefined || best.away > Math.max(3, own / 3) ? null : best.candidate
}

/** One sentence for each variable that looks like a setting and is none. */
export const describeUnknownSettings = (
  source: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): string[] => {
  const names = [...known, ...SECRET_SETTINGS.map(fileSettingOf)]
  return Object.keys(source)
    .filter((name) => name.startsWith('SLICEBOARD_') && !names.includes(name) && !OTHERS.test(name))
    .map((name) => {
      const removed = REMOVED.find(({ pattern }) => pattern.test(name))
      if (removed !== undefined) return `${name} is no longer a setting and is ignored. ${removed.instead}`
      const suggestion = closest(name, names)
      return `${name} is not a setting of Sliceboard and is ignored.${suggestion === null ? '' : ` Did you mean ${suggestion}?`}`
    })
}
