import { expect, test } from 'vitest'
import { createSecretBox } from './secret-box'

const OLD = 'old secret of at least thirty-two characters'
const NEW = 'new secret of at least thirty-two characters'

test('what was sealed opens for its purpose, and reads as nothing before', () => {
  const box = createSecretBox([OLD])
  const sealed = box.seal('gAAAAABf', 'session:1')
  expect(box.open(sealed, 'session:1')).toBe('gAAAAABf')
  expect(sealed).not.toContain('gAAAAABf')
  expect(box.seal('gAAAAABf', 'session:1')).not.toBe(sealed)
})

test('it does not open for another purpose, altered, cut or by another key', () => {
  const box = createSecretBox([OLD])
  const sealed = box.seal('gAAAAABf', 'session:1')
  const [version, id, body = ''] = sealed.split('.')
  const altered = Buffer.from(body, 'base64url')
  altered.writeUInt8((altered.at(-1) ?? 0) ^ 1, altered.length - 1)
  expect(box.open(sealed, 'session:2')).toBeNull()
  expect(box.open([version, id, altered.toString('base64url')].join('.'), 'session:1')).toBeNull()
  expect(box.open(`${version}.${id}.${body.slice(0, 20)}`, 'session:1')).toBeNull()
  expect(box.open(`v2.${id}.${body}`, 'session:1')).toBeNull()
  expect(box.open('', 'session:1')).toBeNull()
  expect(createSecretBox([NEW]).open(sealed, 'session:1')).toBeNull()
})

test('after a rotation the new key seals and both open', () => {
  const before = createSecretBox([OLD]).seal('a', 'x')
  const rotated = createSecretBox([NEW, OLD])
  const after = rotated.seal('b', 'x')
  expect([rotated.open(before, 'x'), rotated.open(after, 'x')]).toEqual(['a', 'b'])
  expect(createSecretBox([NEW]).open(after, 'x')).toBe('b')
  expect(createSecretBox([OLD]).open(after, 'x')).toBeNull()
})
