import type { StepTools } from '../../step-handlers/step-work'
import type { AdvanceInput } from '../../turn'
import type { Away, RacePoint } from './inject-race'
import type { BrokenGuard, RaceWorld } from './race-world'

/** Something may happen here. */
export type RaceEvent = (point: RacePoint) => Promise<void>

/** Every call of a client is a moment in which something may happen first. */
const raced = <Client extends object>(client: Client, event: RaceEvent): Client =>
  new Proxy(client, {
    get: (target, name, receiver) => {
      const method: unknown = Reflect.get(target, name, receiver)
      if (typeof method !== 'function') return method
      return async (...args: unknown[]) => {
        await event('call')
        return method.apply(target, args)
      }
    },
  })

const SILENT = 'its agent is silent'

/**
 * The tools of a turn among races: a call that was away gets no answer, and a careless client keeps what it read at
 * first.
 */
export const racedTools = (
  { world, event, look, away }: { world: RaceWorld; event: RaceEvent; look: () => Promise<void>; away: Away },
  broken: BrokenGuard,
): AdvanceInput['toolsOf'] => {
  const next = world.toolsOf()
  const first = new Map<string, readonly string[]>()
  const isReported = (): boolean => {
    if (away.silent === 0) return true
    away.silent -= 1
    return false
  }
  return async (change) => {
    const tools = await next(change)
    await look()
    const placement = raced(tools.placement, event)
    const careless: StepTools['placement'] = {
      ...tools.placement,
      putTraits: placement.putTraits,
      getTraits: async (uuid) => {
        const now = await placement.getTraits(uuid)
        first.set(uuid, first.get(uuid) ?? now.traits)
        return { ...now, traits: [...(first.get(uuid) ?? [])] }
      },
    }
    return {
      ...tools,
      placement: broken === 'careless-client' ? careless : placement,
      nova: raced(tools.nova, event),
      hostNow: async (host) => {
        await event('call')
        return isReported() ? tools.hostNow(host) : { joined: null, reason: SILENT }
      },
      typesOf: async (host, address) => {
        await event('call')
        return isReported() ? tools.typesOf(host, address) : { types: null, reason: SILENT }
      },
    }
  }
}
