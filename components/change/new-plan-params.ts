import { type inferParserType, parseAsBoolean, parseAsString, parseAsStringLiteral } from 'nuqs'
import { readFilter } from '@/components/gpus/filter-text'
import type { PlanPassthrough, PlanTraits, PlanTypeChange } from '@/lib/schemas/api/change-inputs'
import { formatNoun } from '@/lib/util/format'
import { readGpus } from './read-gpus'
import type { TestBootInput } from './test-boot-choice'

export const CONFIG_CHOICES = ['leave', 'write', 'remove'] as const

/** pGPUs by name, or those of a filter of the list. */
export const chosenGpus = ({ gpus, filter }: { gpus: string; filter: string }) =>
  filter === '' ? readGpus(gpus) : { filter: readFilter(filter) }

/** How many, or by what they are chosen. */
export const chosenText = ({ gpus, filter }: { gpus: string; filter: string }): string =>
  filter === '' ? formatNoun(readGpus(gpus).length, 'pGPU') : 'all pGPUs of a filter'

/** As lib/util/paths newTraitsPath writes them. */
export const newTraitsParams = {
  gpus: parseAsString.withDefault(''),
  filter: parseAsString.withDefault(''),
  type: parseAsString.withDefault(''),
  /** Empty: as the cloud names its traits already. */
  rule: parseAsString.withDefault(''),
  /** `lost`: restores the traits that the providers lost, without a rule. */
  what: parseAsString.withDefault(''),
  keep: parseAsBoolean.withDefault(false),
  config: parseAsStringLiteral(CONFIG_CHOICES).withDefault('leave'),
}

export const traitsInput = (
  cloud: string | null,
  { gpus, filter, type, rule, what, keep, config }: inferParserType<typeof newTraitsParams>,
): PlanTraits => ({
  cloud,
  kind: 'traits',
  gpus: type === '' ? chosenGpus({ gpus, filter }) : { type },
  rule: what === 'lost' ? null : rule === '' ? 'auto' : rule,
  isManaged: keep,
  providerConfig: config,
})

/** As lib/util/paths newTypePath writes them. */
export const newTypeParams = {
  gpus: parseAsString.withDefault(''),
  /** Empty: the pGPUs of `gpus`; else `gpus` has the first of those that match. */
  filter: parseAsString.withDefault(''),
  type: parseAsString.withDefault(''),
  class: parseAsString.withDefault(''),
  loss: parseAsBoolean.withDefault(false),
  test: parseAsBoolean.withDefault(false),
  flavor: parseAsString.withDefault(''),
  image: parseAsString.withDefault(''),
  net: parseAsStringLiteral(['none', 'auto']).withDefault('none'),
}
type TypeParams = inferParserType<typeof newTypeParams>

export const testOf = ({ test, flavor, image, net }: TypeParams): TestBootInput =>
  test ? { flavor, image, networks: net } : null

/** Undefined while flavor and image are not both chosen; then there is no plan yet. */
const testBootOf = (choice: TestBootInput): PlanTypeChange['testBoot'] => {
  if (choice === null) return null
  const { flavor, image, networks } = choice
  return flavor === '' || image === '' ? undefined : { flavorId: flavor, imageId: image, networks }
}

/** Null while something has to be chosen first. */
export const typeInput = (cloud: string | null, params: TypeParams): PlanTypeChange | null => {
  const testBoot = testBootOf(testOf(params))
  if (params.type === '' || testBoot === undefined) return null
  return {
    cloud,
    kind: 'type',
    gpus: chosenGpus(params),
    typeId: params.type,
    resourceClass: params.class === '' ? null : params.class,
    isFlavorLossAccepted: params.loss,
    testBoot,
  }
}

/** As lib/util/paths newPassthroughPath writes them. */
export const newPassthroughParams = {
  gpus: parseAsString.withDefault(''),
  filter: parseAsString.withDefault(''),
  to: parseAsStringLiteral(['whole', 'sliced']).withDefault('whole'),
  alias: parseAsString.withDefault(''),
  loss: parseAsBoolean.withDefault(false),
}

export const passthroughInput = (
  cloud: string | null,
  { gpus, filter, to, alias, loss }: inferParserType<typeof newPassthroughParams>,
): PlanPassthrough => ({
  cloud,
  kind: 'passthrough',
  gpus: chosenGpus({ gpus, filter }),
  to,
  alias: alias === '' ? null : alias,
  isFlavorLossAccepted: loss,
})
