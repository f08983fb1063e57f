import type { FlavorChangeInput, NewFlavorInput } from '@/components/flavor-builder/flavor-input'
import { filterText } from '@/components/gpus/filter-text'
import type { SetUpInput } from '@/components/limit-set-up/set-up-input'
import type { ChangeDetail } from '@/lib/schemas/api/change'
import type {
  PlanChange,
  PlanFlavor,
  PlanOrphans,
  PlanPassthrough,
  PlanReservation,
  PlanTraits,
  PlanTypeChange,
} from '@/lib/schemas/api/change-inputs'
import type { GpuFilterInput } from '@/lib/schemas/api/gpu-filter'
import { MAX_ADDRESS_GPUS } from '@/lib/schemas/api/gpu-limits'
import type { PlanLimits } from '@/lib/schemas/api/limit-change-input'
import {
  limitSetUpPath,
  newFlavorPath,
  newLimitsPath,
  newOrphansPath,
  newPassthroughPath,
  newReservationPath,
  newTraitsPath,
  newTypePath,
} from '@/lib/util/paths'

type Context = {
  cloud: string | null
  preview: Pick<ChangeDetail['preview'], 'targets' | 'refusals' | 'unchanged'>
}

/** Parameters that have a value; `true` for one that is on. */
const given = (params: Record<string, string | boolean | null | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(params).flatMap(([name, value]) =>
      value == null || value === false || value === '' ? [] : [[name, String(value)]],
    ),
  )

type Gpus = readonly { host: string; address: string }[]

const filterOf = ({ filter }: { filter: GpuFilterInput }) => ({ filter: filterText(filter) })

const traitsPath = ({ gpus, rule, isManaged, providerConfig }: PlanTraits, { cloud }: Context): string =>
  newTraitsPath({
    cloud,
    ...(Array.isArray(gpus) ? { gpus } : 'filter' in gpus ? filterOf(gpus) : { type: gpus.type }),
    isLost: rule === null,
    isManaged: isManaged === true,
    search: given({
      rule: rule === 'auto' ? null : rule,
      config: providerConfig === 'leave' ? null : providerConfig,
    }),
  })

/** Those of a host as the plan found them; many by the aggregate or the filter, with one whose types are shown. */
const typeTargets = (
  { gpus }: PlanTypeChange,
  preview: Context['preview'],
): { gpus: Gpus; filter?: string } => {
  if (Array.isArray(gpus)) return { gpus }
  const found = [...preview.targets, ...preview.unchanged, ...preview.refusals]
  if ('filter' in gpus) return { gpus: found.slice(0, 1), ...filterOf(gpus) }
  return 'aggregate' in gpus && found.length > MAX_ADDRESS_GPUS
    ? { gpus: found.slice(0, 1), ...filterOf({ filter: { aggregate: [gpus.aggregate] } }) }
    : { gpus: found }
}

const typePath = (input: PlanTypeChange, { cloud, preview }: Context): string =>
  newTypePath({
    cloud,
    ...typeTargets(input, preview),
    type: input.typeId,
    search: given({
      class: input.resourceClass,
      loss: input.isFlavorLossAccepted,
      test: input.testBoot != null,
      flavor: input.testBoot?.flavorId,
      image: input.testBoot?.imageId,
      net: input.testBoot?.networks,
    }),
  })

const passthroughPath = (
  { gpus, to, alias, isFlavorLossAccepted }: PlanPassthrough,
  { cloud }: Context,
): string =>
  newPassthroughPath({
    cloud,
    ...(Array.isArray(gpus) ? { gpus } : filterOf(gpus)),
    to,
    search: given({ alias, loss: isFlavorLossAccepted }),
  })

const orphansPath = ({ gpus }: PlanOrphans, { cloud }: Context): string =>
  newOrphansPath({
    cloud,
    ...(Array.isArray(gpus) ? { gpus } : gpus === 'all' ? {} : filterOf(gpus)),
  })

const linesOfPairs = (pairs: Readonly<Record<string, string>>): string =>
  Object.entries(pairs)
    .map(([key, value]) => `${key}=${value}`)
    .join('\n')

type Tie = Extract<PlanFlavor['input'], { do: 'create' }>['aggregate']

const fieldsOfTie = (tie: Tie | undefined): Pick<NewFlavorInput, 'aggregate' | 'hosts' | 'properties'> =>
  tie == null
    ? { aggregate: '', hosts: [], properties: '' }
    : { aggregate: tie.name, hosts: tie.hosts, properties: linesOfPairs(tie.properties) }

/** The reverse of planOfNew. The GPU is among the extra specs, which are all written out. */
const inputOfNew = (
  { flavor, aggregate }: Extract<PlanFlavor['input'], { do: 'create' }>,
  isNowhereAccepted: boolean,
): NewFlavorInput => ({
  name: flavor.name,
  description: flavor.description ?? '',
  gpu: null,
  vcpus: String(flavor.vcpus),
  memoryGib: String(flavor.memoryMib / 1024),
  diskGib: String(flavor.diskGib),
  isPublic: flavor.isPublic,
  projectIds: flavor.projectIds,
  ...fieldsOfTie(aggregate),
  more: linesOfPairs(flavor.extraSpecs),
  isNowhereAccepted,
})

/** The reverse of planOfChange. */
const inputOfChange = (
  {
    trait,
    set,
    unset,
    description,
    grant,
    revoke,
    aggregate,
  }: Extract<PlanFlavor['input'], { do: 'change' }>,
  isNowhereAccepted: boolean,
): FlavorChangeInput => ({
  trait: trait ?? '',
  set: linesOfPairs(set),
  unset: unset.join('\n'),
  description: description === undefined ? null : (description ?? ''),
  grant,
  revoke,
  ...fieldsOfTie(aggregate),
  isNowhereAccepted,
})

const flavorPath = ({ input, isNoMatchAccepted }: PlanFlavor, { cloud }: Context): string =>
  input.do === 'create'
    ? newFlavorPath({
        cloud,
        search: { input: JSON.stringify(inputOfNew(input, isNoMatchAccepted)) },
      })
    : newFlavorPath({
        cloud,
        flavors: input.flavorIds,
        search: { change: JSON.stringify(inputOfChange(input, isNoMatchAccepted)) },
      })

const reservationPath = ({ input }: PlanReservation, { cloud }: Context): string => {
  if ('hosts' in input) {
    const [host = '', ...others] = input.hosts
    const { way, aggregate, trait, flavorIds, isMoving } = input
    return newReservationPath({
      cloud,
      host,
      search: given({
        way,
        hosts: others.join(','),
        aggregate,
        trait,
        flavors: JSON.stringify(flavorIds),
        move: isMoving,
      }),
    })
  }
  const { way, host, sharedSet: shared, dedicatedSet: dedicated } = input
  const rest =
    input.way === 'cpus'
      ? {
          memory: input.reservedMemoryMib?.toString(),
          flavors: JSON.stringify(input.flavorIds),
          move: input.isMoving,
        }
      : { memory: input.memoryMib.toString(), second: input.secondHost }
  return newReservationPath({ cloud, host, search: given({ way, shared, dedicated, ...rest }) })
}

type ChosenProjects = NonNullable<PlanLimits['setUp']>['projects']

/** Older plans of the setup name the limits of each project. */
const projectsOf = (
  projects: ChosenProjects,
  limits: PlanLimits['limits'],
): Pick<SetUpInput, 'left' | 'projects'> => {
  if (projects == null)
    return { left: [], projects: [...new Set(limits.flatMap(({ projectId }) => projectId ?? []))] }
  return 'only' in projects ? { left: [], projects: projects.only } : { left: projects.except }
}

/** The reverse of planOfSetUp. */
const inputOfSetUp = ({ limits, setUp }: PlanLimits): SetUpInput => ({
  texts: limits.flatMap(({ resourceName, projectId, value }) =>
    projectId === null && value !== null ? [{ resourceName, text: String(value) }] : [],
  ),
  ...projectsOf(setUp?.projects, limits),
  removesStrays: setUp?.removesStrays === true,
})

const limitsPath = (input: PlanLimits, { cloud }: Context): string => {
  const { limits, setUp } = input
  return setUp == null
    ? newLimitsPath({
        cloud,
        limits,
        search: { to: JSON.stringify(limits.map(({ value }) => value?.toString() ?? '')) },
      })
    : limitSetUpPath({
        cloud,
        search: given({
          user: setUp.user,
          domain: setUp.domainId,
          input: JSON.stringify(inputOfSetUp(input)),
        }),
      })
}

/** The page that planned a change, filled in with what it was planned from. It plans by what is there now. */
const pathOf = (input: PlanChange, context: Context): string => {
  switch (input.kind) {
    case 'traits':
      return traitsPath(input, context)
    case 'type':
      return typePath(input, context)
    case 'passthrough':
      return passthroughPath(input, context)
    case 'orphans':
      return orphansPath(input, context)
    case 'flavor':
      return flavorPath(input, context)
    case 'fence':
      return reservationPath(input, context)
    case 'limits':
      return limitsPath(input, context)
  }
}

const isTooLong = (input: PlanChange): boolean =>
  'gpus' in input && Array.isArray(input.gpus) && input.gpus.length > MAX_ADDRESS_GPUS

/** As `pathOf`; null: an address does not take as many pGPUs, which a script has named. */
export const planAgainPath = (input: PlanChange, context: Context): string | null =>
  isTooLong(input) ? null : pathOf(input, context)
