import type { Flavor } from '@/lib/domain/cloud/types'
import { firstMalformed, type Malformed, malformed } from './malformed'

const RESOURCES = /^resources\w*:(.*)$/s
const TRAIT = /^trait\w*:(.*)$/s
const ALIAS = 'pci_passthrough:alias'

/** Of the extra specs that a plan writes: the class, the trait or the aliases that one names. */
const malformedSpec = (flavorName: string, key: string, value: string): Malformed | null => {
  const of = (what: string) => ({
    origin: `The ${what} of the extra spec ${key} for the flavor ${flavorName}`,
    remedy: 'write another one',
  })
  return firstMalformed([
    () => malformed('extraSpecKey', key, of('key')),
    () => malformed('resourceClass', RESOURCES.exec(key)?.[1] ?? null, of('resource class')),
    () => malformed('trait', TRAIT.exec(key)?.[1] ?? null, of('trait')),
    ...(key === ALIAS ? value.split(',') : []).map(
      (part) => () => malformed('alias', part.replace(/:[^:]*$/, '').trim(), of('alias')),
    ),
  ])
}

/** Of a flavor that a plan creates or changes: its id, and the extra specs that are other than before. */
export const malformedFlavor = ({
  before,
  after,
}: {
  before: Flavor | null
  after: Flavor
}): Malformed | null =>
  firstMalformed([
    () =>
      malformed('flavorId', after.id, {
        origin: `The id of the flavor ${after.name} in Nova`,
        remedy: 'create the flavor again under another id',
      }),
    ...Object.entries(after.extraSpecs)
      .filter(([key, value]) => before?.extraSpecs[key] !== value)
      .map(
        ([key, value]) =>
          () =>
            malformedSpec(after.name, key, value),
      ),
  ])
