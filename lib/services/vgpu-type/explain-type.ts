import 'server-only'
import type { Fleet } from '@/lib/domain/cloud/fleet-types'
import { readFlavorRequest } from '@/lib/domain/fit/flavor-request'
import { requestsGpu } from '@/lib/domain/fit/gpu-classes'
import { reachedTypes } from '@/lib/domain/fit/reached-types'
import { offeredCarriers, typeQuestions } from '@/lib/domain/fit/type-question'
import type { TypeFit } from '@/lib/schemas/api/flavor'
import { type TypeScope, typeScopeSchema } from '@/lib/schemas/api/scope'
import { requirePermission } from '@/lib/server/context/require-permission'
import type { ServiceContext } from '@/lib/server/context/service-context'
import { parseInput } from '@/lib/server/errors/parse-input'
import { ServiceError } from '@/lib/server/errors/service-error'
import { type Cloud, findCloud } from '@/lib/services/cloud/find-cloud'
import { loadFleet } from '@/lib/services/cloud-reading/load-fleet'
import { notReadYet } from '@/lib/services/fit/not-read'
import { reportFit } from '@/lib/services/fit/report-fit'

const describeType = (fleet: Fleet, typeId: string): { name: string | null; models: string[] } | null => {
  const models = new Set<string>()
  let name: string | null = null
  for (const { pgpu } of fleet.hosts.flatMap(({ pgpus }) => pgpus)) {
    const type = [pgpu.currentType, ...(pgpu.supportedTypes ?? [])].find((one) => one?.typeId === typeId)
    if (type === undefined || type === null) continue
    models.add(pgpu.model)
    name ??= type.shortName
  }
  return models.size === 0 ? null : { name, models: [...models].toSorted() }
}

const noSuchType = ({ name }: Cloud, typeId: string): ServiceError =>
  new ServiceError(
    'not_found',
    `No card of cloud "${name}" offers the vGPU type "${typeId}". Types are named as in nova.conf, such as nvidia-222.`,
    { field: 'type' },
  )

const flavorsOf = (fleet: Fleet, typeId: string): TypeFit['flavors'] =>
  (fleet.input.facts.flavors.value ?? [])
    .filter(({ isDisabled }) => !isDisabled)
    .filter((flavor) => {
      const request = readFlavorRequest(flavor)
      return (
        requestsGpu(fleet, request) && reachedTypes(fleet, request).some((type) => type.typeId === typeId)
      )
    })
    .map(({ id, name }) => ({ id, name }))

/** How many more vGPUs of a type fit, independent of the flavor, and what prevents the others. */
export const explainType = async (ctx: ServiceContext, input: TypeScope): Promise<TypeFit> => {
  requirePermission(ctx, 'fleet.read')
  const { type: typeId, count, q, group, limit, cursor, ...scope } = parseInput(typeScopeSchema, input)
  const cloud = await findCloud(ctx, scope)
  const fleet = await loadFleet(ctx, cloud)
  if (fleet === null) throw notReadYet(cloud)
  const type = describeType(fleet, typeId)
  if (type === null) throw noSuchType(cloud, typeId)
  const questions = typeQuestions(fleet, typeId)
  return {
    cloud: cloud.name,
    typeId,
    ...type,
    flavors: flavorsOf(fleet, typeId),
    fit: await reportFit(ctx, {
      cloud,
      fleet,
      questions,
      memberOf: null,
      carriersOf: (question, offered) => offeredCarriers(fleet, question, offered),
      count,
      page: { q: q ?? '', group: group ?? null, limit, cursor },
    }),
  }
}
