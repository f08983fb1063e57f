import { expect, test } from 'vitest'
import { CLOUD_PARTS } from '@/lib/domain/cloud/freshness'
import type { CloudFacts } from '@/lib/domain/cloud/types'
import type { OpenStackServiceName } from '@/lib/openstack/openstack-error'
import { createSourceLog } from './source-log'

type Part = (typeof CLOUD_PARTS)[number]

const start = () => {
  const logged: string[] = []
  const note = (level: string) => (_fields: unknown, text?: string) => void logged.push(`${level} ${text}`)
  const logSources = createSourceLog({ log: { info: note('info'), warn: note('warn') }, cloud: 'paris' })
  const round = (
    failing: Partial<Record<Part, string>>,
    errors: Partial<Record<OpenStackServiceName, string>> = {},
  ): string[] => {
    logged.length = 0
    const readPart = (part: Part) => ({
      value: [],
      at: null,
      error: failing[part] ?? null,
      failingSince: null,
    })
    const facts = Object.fromEntries(
      CLOUD_PARTS.map((part) => [part, readPart(part)]),
    ) as unknown as CloudFacts
    const services = ['keystone', 'placement', 'nova', 'neutron'] as const
    logSources({
      facts,
      cost: services.map((service) => ({ service, requests: 1, ms: 1, error: errors[service] ?? null })),
    })
    return [...logged]
  }
  return round
}

const DOWN = 'Keystone of cloud "paris" cannot be reached.'
const all = (sentence: string) => Object.fromEntries(CLOUD_PARTS.map((part) => [part, sentence]))

test('a service that fails is logged once with its sentence, and once when it can be read again', () => {
  const round = start()
  expect(round({})).toEqual([])
  expect(round(all(DOWN), { keystone: DOWN })).toEqual([`warn ${DOWN}`])
  expect(round(all(DOWN), { keystone: DOWN })).toEqual([])
  // Slow parts are read again rounds later.
  expect(round({ projects: DOWN })).toEqual(['info Keystone of cloud "paris" can be read again.'])
  expect(round({})).toEqual([])
  expect(round(all(DOWN), { keystone: DOWN })).toEqual([`warn ${DOWN}`])
})

test('sentences that differ by an id or take turns are one state', () => {
  const round = start()
  const first = 'Nova answered 503. Request req-11111111-0000-4000-8000-000000000000.'
  const second = 'Nova answered 503. Request req-22222222-0000-4000-8000-000000000000.'
  const other = 'Nova gave no answer within 10 s.'
  expect(round({ servers: first }, { nova: first })).toEqual([`warn ${first}`])
  expect(round({ servers: second }, { nova: second })).toEqual([])
  expect(round({ servers: other }, { nova: other })).toEqual([])
  // Another part fails by the same sentence when its turn comes.
  expect(round({ servers: other, flavors: other }, { nova: other })).toEqual([])
  expect(round({})).toEqual(['info Nova of cloud "paris" can be read again.'])
})

test('a part that is refused permanently is logged once, also where its rounds are rare', () => {
  const round = start()
  const refused = 'Nova refuses limits: the account has no role on the system.'
  expect(round({ limits: refused }, { nova: refused })).toEqual([`warn ${refused}`])
  for (let index = 0; index < 3; index += 1) {
    expect(round({ limits: refused })).toEqual([])
    expect(round({ limits: refused }, { nova: refused })).toEqual([])
  }
  // Another part that fails for another reason is news.
  const down = 'Nova cannot be reached.'
  expect(round({ limits: refused, servers: down }, { nova: down })).toEqual([`warn ${down}`])
})
