import type { GroupMember } from './group-member'
import type { LockedHost } from './locked-host'

/** The rows of hosts as this console wrote or read them last. Another console may have written them since. */
export type KnownHosts = {
  /** The rows of all hosts of a group, by their ids; null where one is not known, or where knowing them was of no use lately. */
  ofGroup: (members: readonly GroupMember[]) => LockedHost[] | null
  put: (hosts: readonly LockedHost[]) => void
  /** A group was written by what is known of its hosts. */
  wereRight: () => void
  /** The hosts of a group no longer were as they are known. */
  wereWrong: () => void
}

const MOST_KNOWN = 100_000
/** Where hosts report to several consoles by turns, each group that is tried would be written twice. */
const MOST_PASSED = 256

export const createKnownHosts = (mostKnown = MOST_KNOWN): KnownHosts => {
  const known = new Map<number, LockedHost>()
  let toPass = 0
  let passing = 1

  return {
    ofGroup: (members) => {
      if (toPass > 0) {
        toPass -= 1
        return null
      }
      const hosts = new Map<number, LockedHost>()
      for (const { actor } of members) {
        const host = known.get(actor.hostId)
        if (host === undefined || host.credentialId !== actor.credentialId) return null
        hosts.set(host.id, host)
      }
      return [...hosts.values()].sort((a, b) => a.id - b.id)
    },
    put: (hosts) => {
      if (known.size + hosts.length > mostKnown) known.clear()
      for (const host of hosts) known.set(host.id, host)
    },
    wereRight: () => {
      passing = 1
    },
    wereWrong: () => {
      toPass = passing
      passing = Math.min(2 * passing, MOST_PASSED)
    },
  }
}
