import { expect, test } from 'vitest'
import { toReference } from './reference'

const ID = '11111111-2222-4333-8444-555555555555'
const OTHER = { id: '99999999-2222-4333-8444-555555555555', name: 'other' }
const referenceOf = (name: string, others = [OTHER]) =>
  toReference({ id: ID, name }, [{ id: ID, name }, ...others])

test('a name that one choice has is used as it is', () => {
  expect(referenceOf('ubuntu 24.04')).toEqual({ text: 'ubuntu 24.04', isId: false })
})

test.each([
  ['another choice has it', 'other'],
  ['it is the id of another image', OTHER.id],
  ['it looks like an id without hyphens', OTHER.id.replaceAll('-', '')],
  ['it is empty', ' '],
  ['it has a character that a command cannot show', 'a\u202eb'],
  ['python-openstackclient reads it as "no network"', 'none'],
  ['python-openstackclient reads it as "any network"', 'auto'],
  ['--network takes no comma', 'a,port-id=x'],
  ['--network takes no equals sign', 'net-id=x'],
])('the id is used where %s', (_, name) => {
  expect(referenceOf(name)).toEqual({ text: ID, isId: true })
})
