import { describe, expect, test } from 'vitest'
import { readFormField } from './read-form-field'
import { MAX_BODY_BYTES, readJsonBody } from './read-json-body'

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }

const request = (body: string | Uint8Array | ReadableStream, headers: Record<string, string>) =>
  // `duplex` is what a body that streams takes, and is not in the types.
  new Request('http://console.example/', { method: 'POST', body, headers, duplex: 'half' } as RequestInit)

const codeOf = async (read: Promise<unknown>): Promise<unknown> =>
  read.then(
    () => 'taken',
    (error: { code: unknown }) => error.code,
  )

/** Pieces of 1 KiB without an end, and what became of them. */
const endless = () => {
  const seen = { pieces: 0, isCancelled: false }
  const stream = new ReadableStream<Uint8Array>(
    {
      pull: (controller) => {
        seen.pieces += 1
        controller.enqueue(new Uint8Array(1024).fill(0x20))
      },
      cancel: () => {
        seen.isCancelled = true
      },
    },
    { highWaterMark: 0 },
  )
  return { stream, seen }
}

describe.each([
  ['JSON', JSON_TYPE, readJsonBody],
  ['a form', FORM_TYPE, (given: Request) => readFormField(given, 'token')],
] as const)('%s', (_what, type, read) => {
  test('that states too large a size is refused unread', async () => {
    const { stream, seen } = endless()
    const length = { 'content-length': String(MAX_BODY_BYTES + 1) }
    expect(await codeOf(read(request(stream, { ...type, ...length })))).toBe('too_large')
    expect(seen.pieces).toBe(0)
  })

  test('without a length is read to the limit, and then refused', async () => {
    const { stream, seen } = endless()
    expect(await codeOf(read(request(stream, type)))).toBe('too_large')
    expect(seen.isCancelled).toBe(true)
    expect(seen.pieces).toBeLessThanOrEqual(MAX_BODY_BYTES / 1024 + 1)
  })

  test('of another type is refused unread', async () => {
    for (const other of [
      'text/plain',
      'multipart/form-data; boundary=x',
      `text/plain; ${type['content-type']}`,
      `${type['content-type']}x`,
      `x${type['content-type']}`,
      '',
    ]) {
      const { stream, seen } = endless()
      expect([other, await codeOf(read(request(stream, { 'content-type': other })))]).toEqual([
        other,
        'validation',
      ])
      expect(seen.pieces).toBe(0)
    }
  })
})

test('JSON of as many bytes as may come is taken, with a charset too', async () => {
  const body = `"${'x'.repeat(MAX_BODY_BYTES - 2)}"`
  expect(await codeOf(readJsonBody(request(body, JSON_TYPE)))).toBe('taken')
  expect(await codeOf(readJsonBody(request(`${body} `, JSON_TYPE)))).toBe('too_large')
  const type = { 'content-type': 'Application/JSON ; charset=utf-8' }
  expect(await readJsonBody(request('{"a":1}', type))).toEqual({ a: 1 })
})

test('what is no UTF-8 is refused, and not read as something else', async () => {
  const bytes = Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf, 0xff]), Buffer.from('"}')])
  expect(await codeOf(readJsonBody(request(bytes, JSON_TYPE)))).toBe('validation')
})

test('names of every object that JSON carries are names like others and change no prototype', async () => {
  const read = (await readJsonBody(request('{"__proto__":{"isAdmin":true}}', JSON_TYPE))) as object
  expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  expect(({} as Record<string, unknown>).isAdmin).toBeUndefined()
})

test('a field of a form must be there, and its value is in no error', async () => {
  expect(await readFormField(request('token=+gAAAA+&x=1', FORM_TYPE), 'token')).toBe('gAAAA')
  for (const body of ['other=gAAAA', 'token=', 'token=%20'])
    await expect(readFormField(request(body, FORM_TYPE), 'token')).rejects.toMatchObject({
      code: 'validation',
      field: 'token',
      message: expect.not.stringContaining('gAAAA'),
    })
})
