import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import type { Flavor } from '@/lib/domain/cloud/types'
import { isGpuFlavor } from './gpu-flavors'
import { type HeadroomLine, headroomFor } from './headroom-lines'
import { type PlainAmounts, type PlainName, plainNeeds } from './plain-needs'

/** What is left of a host when ordinary servers take all that they can get, and who takes most of each class. */
export type WorstCase = { lines: HeadroomLine[]; greediest: Partial<Record<PlainName, string>> }

const SHARED: readonly PlainName[] = ['MEMORY_MB', 'DISK_GB', 'PCPU', 'VCPU']

/**
 * Fills a host with ordinary servers, one flavor per run, and returns the minimum that any run leaves of each class: GPU
 * servers that fit then fit in any case. `mayCome`: flavors that the reservation admits.
 */
export const worstCase = (
  fleet: Fleet,
  lines: readonly HeadroomLine[],
  flavors: readonly Flavor[],
  mayCome: (flavor: Flavor) => boolean = () => true,
): WorstCase => {
  const ordinary = flavors.filter(
    (flavor) => !flavor.isDisabled && !isGpuFlavor(fleet, flavor) && mayCome(flavor),
  )
  const greediest: WorstCase['greediest'] = {}
  const left = new Map(lines.map(({ name, free }) => [name, free]))
  for (const flavor of ordinary) {
    const needs: PlainAmounts = plainNeeds(flavor)
    const count = headroomFor(lines, needs)
    if (count === 0 || count === Number.MAX_SAFE_INTEGER) continue
    for (const name of SHARED) {
      const line = lines.find((entry) => entry.name === name)
      if (line === undefined || needs[name] === 0) continue
      const rest = line.free - count * needs[name]
      if (rest >= (left.get(name) ?? 0)) continue
      left.set(name, rest)
      greediest[name] = flavor.name
    }
  }
  return {
    lines: lines.map((line) => {
      const free = left.get(line.name) ?? line.free
      return { ...line, free, used: line.capacity - free }
    }),
    greediest,
  }
}
