import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { handedOutDevices } from '@/lib/domain/cloud/handed-out'
import { meaningOfAlias } from '@/lib/domain/fit/alias-meaning'
import type { FlavorRequest } from '@/lib/domain/fit/flavor-request'
import { aliasClass } from '@/lib/domain/nova-config/alias-takes'
import { oncePer } from '@/lib/util/once-per'

/** Resource classes of devices that some host reports to Placement. */
const reportedClasses = oncePer(
  (fleet: Fleet): ReadonlySet<string | null> =>
    new Set(
      fleet.hosts
        .flatMap((joined) => handedOutDevices(joined))
        .filter(({ offer }) => offer.isReported === true)
        .map(({ offer }) => offer.resourceClass),
    ),
)

/** By Nova's API; where its aliases are unknown, by the nova.conf of the hosts. */
const readClasses = (fleet: Fleet, alias: string): string[] => {
  const meaning = meaningOfAlias(fleet, alias)
  const entries =
    meaning.state === 'known'
      ? meaning.entries
      : fleet.hosts.flatMap(({ nova }) => nova?.aliases ?? []).filter(({ name }) => name === alias)
  const classes = entries.map(aliasClass).filter((one) => one !== null)
  return [...new Set(classes)].filter((one) => reportedClasses(fleet).has(one))
}

/** Hundreds of flavors name the same few aliases. */
const classesByAlias = oncePer((_: Fleet) => new Map<string, readonly string[]>())

const classesOfAlias = (fleet: Fleet, alias: string): readonly string[] => {
  const known = classesByAlias(fleet)
  const classes = known.get(alias) ?? readClasses(fleet, alias)
  known.set(alias, classes)
  return classes
}

/**
 * The resource classes under which Placement counts the PCI devices of a request, with their amounts; none where hosts do not
 * report the devices to Placement.
 */
export const aliasAmounts = (
  fleet: Fleet,
  { aliases }: Pick<FlavorRequest, 'aliases'>,
): ReadonlyMap<string, number> => {
  const amounts = new Map<string, number>()
  for (const { name, count } of aliases)
    for (const one of classesOfAlias(fleet, name)) amounts.set(one, (amounts.get(one) ?? 0) + count)
  return amounts
}
