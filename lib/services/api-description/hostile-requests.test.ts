import fc from 'fast-check'
import { beforeEach, expect, test } from 'vitest'
import { sampleOf } from '@/e2e/world/access/sample'
import { errorBodySchema } from '@/lib/schemas/api/error-body'
import { createTestRuntime } from '@/lib/server/testing/test-runtime'
import { createReadWorld } from '@/lib/services/testing/read-world'
import { describeApi } from './describe-api'
import { type Answered, openApiServer, type Sent } from './testing/api-server'

/** Requests of one run; `npm run test:security -- S14` sends more. */
const REQUESTS = Number(process.env.SLICEBOARD_HOSTILE_REQUESTS ?? 300)

type Described = {
  parameters: { name: string; in: 'path' | 'query'; required: boolean; schema: object }[]
  requestBody?: { content: { 'application/json': { schema: object } } }
}
type Operation = Described & { method: string; template: string }

const OPERATIONS: Operation[] = Object.entries(describeApi({ version: '1.2.3' }).paths).flatMap(
  ([template, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      ...(described as Described),
      method: method.toUpperCase(),
      template,
    })),
)

/** As a browser encodes a text; one with a percent sign is sent unchanged. */
const encode = (text: string): string => (text.includes('%') ? text : encodeURIComponent(text))

const MOMENTS = [
  '0001-01-01T00:00:00Z',
  '0000-01-01T00:00:00Z',
  '1970-01-01T00:00:00Z',
  '2999-12-31T23:59:59Z',
  '9999-12-31T23:59:59Z',
  '2026-02-30T00:00:00Z',
  '2026-11-21T08:00:00+23:59',
  '+275760-09-13T00:00:00Z',
  '-000001-01-01T00:00:00Z',
]
const NUMBERS = ['0', '-1', '1e309', '2147483648', '99999999999999999999', 'NaN', '1.5', '0x10']
const TEXTS = [
  '',
  ' ',
  '%',
  '%zz',
  '%00',
  'a%00b',
  '%FF',
  '%ED%A0%80',
  '%2F%2Fevil.example',
  '%5C%5Cevil.example',
  '..%2f..',
  '0000-00',
  '9999-12',
  '9999-Q4',
  '0000-Q1',
  '2026-13',
  'null',
  '[]',
  "' OR 1=1 --",
  '\u202e\u0007',
  '💥',
  'x'.repeat(3000),
  ','.repeat(500),
]
const hostileText = fc.constantFrom(...TEXTS, ...MOMENTS, ...NUMBERS)
const hostileJson = fc.oneof(
  fc.constantFrom<unknown>(
    '\0',
    'a\0b',
    '\ud800',
    'a\udfffb',
    '',
    'x'.repeat(20_000),
    null,
    true,
    -1,
    0,
    1.5,
    2 ** 31,
    2 ** 53,
    1e308,
    [],
    {},
    [[[[]]]],
    ['\0'],
    { '\0': 1 },
    { __proto__: null, constructor: 1 },
    ...MOMENTS,
  ),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

/** A position in a sample of the body; empty for the body itself. */
type BodyPath = readonly (string | number)[]

const pathsOf = (value: unknown, at: BodyPath = []): BodyPath[] =>
  typeof value === 'object' && value !== null
    ? [at, ...Object.entries(value).flatMap(([key, entry]) => pathsOf(entry, [...at, key]))]
    : [at]

const replaceAt = (value: unknown, [key, ...rest]: BodyPath, by: unknown): unknown => {
  if (key === undefined) return by
  if (Array.isArray(value))
    return value.map((entry, index) => (index === Number(key) ? replaceAt(entry, rest, by) : entry))
  return { ...(value as object), [key]: replaceAt((value as Record<string, unknown>)[key], rest, by) }
}

/** The parts of a request that can be replaced, each valid. */
const partsOf = ({ parameters, requestBody }: Operation) => {
  const schema = requestBody?.content['application/json'].schema
  const body = schema === undefined ? undefined : sampleOf(schema)
  const properties = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
  const values = parameters.map(({ schema: own, required }) =>
    required ? encode(String(sampleOf(own))) : null,
  )
  return { values, body, paths: [...pathsOf(body), ...properties.map((name) => [name])] }
}

const sentOf = (
  { method, template, parameters }: Operation,
  { values, body }: { values: readonly (string | null)[]; body: unknown },
): Sent => {
  let target = template
  const query: string[] = []
  for (const [index, { name, in: location }] of parameters.entries()) {
    const value = values[index] ?? null
    if (location === 'path') target = target.replace(`{${name}}`, value ?? 'x')
    else if (value !== null) query.push(`${name}=${value}`)
  }
  if (query.length > 0) target = `${target}?${query.join('&')}`
  return { method, target, body: body === undefined ? null : JSON.stringify(body) }
}

const requestOf = (operation: Operation): fc.Arbitrary<Sent> => {
  const { values, body, paths } = partsOf(operation)
  const given = fc.tuple(
    ...values.map((value) => fc.oneof(fc.constant(value), { weight: 2, arbitrary: hostileText.map(encode) })),
  )
  const bodies = fc
    .tuple(fc.constantFrom(...paths), hostileJson, fc.boolean())
    .map(([at, by, isGood]) => (body === undefined || isGood ? body : replaceAt(body, at, by)))
  return fc.tuple(given, bodies).map(([own, sent]) => sentOf(operation, { values: own, body: sent }))
}

/** What has led to 500 before, in each parameter and each position of each body, while the rest is valid. */
const eachAlone = (operation: Operation): Sent[] => {
  const { values, body, paths } = partsOf(operation)
  const inParameters = values.flatMap((_value, index) =>
    ['a%00b', '%FF', '0001-01-01T00:00:00Z', '2147483648'].map((by) =>
      sentOf(operation, { values: values.with(index, by), body }),
    ),
  )
  const inBody = paths.flatMap((at) =>
    ['a\0b', 'a\ud800b', '0001-01-01T00:00:00Z', 2 ** 53].map((by) =>
      sentOf(operation, { values, body: replaceAt(body, at, by) }),
    ),
  )
  return [...inParameters, ...(body === undefined ? [] : inBody)]
}

const anyRequest = fc.oneof(...OPERATIONS.map(requestOf))

/** What is no path of this console. */
const ODD = [
  'http://evil.example/gpus',
  '//evil.example',
  '/\\evil.example',
  '/gpus//x',
  '/%',
  '/gpus/%zz',
  '/hosts/%FF',
  '/_next/static/%',
  '/_next/static/chunks/%00.js',
  '/api/agent/v1/%',
  '/api/agent/v1/reports%00',
  '/agent/%c0%af',
  '/install.sh?%00',
  '*',
]

const world = createReadWorld({ hostCount: 2 })
let send: (sent: Sent) => Promise<Answered>

beforeEach(async () => {
  await world.reading().readRound()
  const runtime = {
    ...createTestRuntime({ database: world.database(), now: () => world.at().now() }),
    accounts: [world.account()],
  }
  const api = await openApiServer(runtime)
  send = api.send
  return async () => {
    await runtime.stop()
    await api.close()
  }
})

const isError = (text: string): boolean => errorBodySchema.safeParse(JSON.parse(text)).success

const seen = new Set<string>()

const expectAnswer = async (sent: Sent): Promise<void> => {
  const { status, text } = await send(sent)
  seen.add(`${sent.method} ${status}`)
  const exchange = `${sent.method} ${sent.target} ${sent.body}: ${text}`
  expect(status, exchange).not.toBe(500)
  if (status >= 400 && text !== 'null') expect(isError(text), exchange).toBe(true)
}

test('no parameter and no field of any operation leads to 500, and refusals have the form of errors', async () => {
  const queue = OPERATIONS.flatMap(eachAlone)[Symbol.iterator]()
  const run = async () => {
    for (const sent of queue) await expectAnswer(sent)
  }
  await Promise.all(Array.from({ length: 8 }, run))
  // The requests reach the services: some are answered, some refused.
  expect([...seen].toSorted()).toEqual(expect.arrayContaining(['GET 200', 'GET 400', 'POST 400']))
}, 300_000)

test('nor does any mixture of hostile values', async () => {
  await fc.assert(fc.asyncProperty(anyRequest, expectAnswer), { numRuns: REQUESTS })
}, 300_000)

test('what is no path is refused in the form of errors and leads nowhere', async () => {
  for (const target of ODD) {
    const { status, location, text } = await send({ method: 'GET', target, body: null })
    expect([400, 404], target).toContain(status)
    expect(location, target).toBeUndefined()
    expect(isError(text), target).toBe(true)
  }
})
