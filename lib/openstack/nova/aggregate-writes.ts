import * as z from 'zod'
import type { VersionedCall } from '../versioned-call'
import { aggregateSchema } from './nova-schemas'
import { toAggregate } from './to-facts'
import type { NovaClient } from './types'

const oneAggregateSchema = z.object({ aggregate: aggregateSchema })

type AggregateWrites = Pick<
  NovaClient,
  | 'createAggregate'
  | 'deleteAggregate'
  | 'addAggregateHost'
  | 'removeAggregateHost'
  | 'writeAggregateMetadata'
>

export const createAggregateWrites = (call: VersionedCall): AggregateWrites => {
  const act = async (id: number, body: unknown) => {
    const path = `/os-aggregates/${id}/action`
    const { aggregate } = await call.read(oneAggregateSchema, { method: 'POST', path, body })
    return toAggregate(aggregate)
  }
  return {
    createAggregate: async (name) => {
      const body = { aggregate: { name } }
      const { aggregate } = await call.read(oneAggregateSchema, {
        method: 'POST',
        path: '/os-aggregates',
        body,
      })
      return toAggregate(aggregate)
    },
    deleteAggregate: async (id) => {
      await call.send({ method: 'DELETE', path: `/os-aggregates/${id}` })
    },
    addAggregateHost: (id, host) => act(id, { add_host: { host } }),
    removeAggregateHost: (id, host) => act(id, { remove_host: { host } }),
    writeAggregateMetadata: (id, metadata) => act(id, { set_metadata: { metadata } }),
  }
}
