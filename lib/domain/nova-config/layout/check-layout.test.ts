import { describe, expect, it } from 'vitest'
import { checkLayout } from './check-layout'
import { diffLayouts } from './diff-layouts'
import { groupLayouts, type LayoutType, type MdevLayout } from './mdev-layout'

const type = (typeId: string, rest: Partial<LayoutType> = {}): LayoutType => ({
  typeId,
  addresses: null,
  mdevClass: null,
  maxInstances: null,
  ...rest,
})

const layout = (...types: LayoutType[]): MdevLayout => ({ host: 'cmp-1', types })
const messages = (wished: MdevLayout, release = 30): string[] =>
  checkLayout(wished, release).map(({ message }) => message)

const A = '0000:18:00.0'
const B = '0000:19:00.0'

describe('a layout', () => {
  it('with a default and listed types, classes and bounds is fine', () => {
    const wished = layout(
      type('nvidia-1', { maxInstances: 8 }),
      type('nvidia-2', { addresses: [A, B], mdevClass: 'CUSTOM_X' }),
    )
    expect(messages(wished)).toEqual([])
  })

  it.each([
    [
      'an address under two types',
      layout(type('a', { addresses: [A] }), type('b', { addresses: [A] })),
      /is listed under a and b/,
    ],
    [
      'an address under two types in other case',
      layout(type('a', { addresses: ['0000:AF:00.0'] }), type('b', { addresses: ['0000:af:00.0'] })),
      /0000:af:00.0 is listed under a and b/,
    ],
    ['an address twice under one type', layout(type('a', { addresses: [A, A] })), /is listed under a twice/],
    [
      'a type twice',
      layout(type('a', { addresses: [A] }), type('a', { addresses: [B] })),
      /^a is listed twice/,
    ],
    ['a second default', layout(type('a'), type('b')), /a and b have no addresses/],
    [
      'a class without addresses',
      layout(type('a', { mdevClass: 'CUSTOM_X' })),
      /class CUSTOM_X without addresses/,
    ],
    ['a bad class', layout(type('a', { addresses: [A], mdevClass: 'T4' })), /class "T4" of a is refused/],
    ['a bound of 0', layout(type('a', { maxInstances: 0 })), /max_instances of a is 0/],
    [
      'a bound that is no whole number',
      layout(type('a', { maxInstances: 1.5 })),
      /max_instances of a is 1.5/,
    ],
    [
      'what is no address',
      layout(type('a', { addresses: ['18:00.9'] })),
      /18:00.9 under a is not a PCI address/,
    ],
    ['an empty list', layout(type('a', { addresses: [] })), /empty list of addresses/],
    ['what is no type', layout(type('nvidia 1')), /"nvidia 1" is not a vGPU type/],
  ])('with %s is refused', (_, wished, message) => {
    expect(messages(wished)).toEqual([expect.stringMatching(message)])
  })

  it('requests no option that the release lacks', () => {
    const wished = layout(type('a', { addresses: [A], mdevClass: 'CUSTOM_X', maxInstances: 4 }))
    expect(messages(wished, 23)).toHaveLength(2)
    expect(messages(wished, 28)).toEqual([expect.stringContaining('does not support max_instances')])
    expect(messages(wished, 29)).toEqual([])
  })

  it('with short or upper-case addresses is fine: they are written in full', () => {
    expect(messages(layout(type('a', { addresses: ['AF:00.0', '00000000:18:00.0'] })))).toEqual([])
  })
})

describe('hosts', () => {
  it('with equal layouts are one group, in any order of addresses', () => {
    const groups = groupLayouts([
      { host: 'cmp-10', types: [type('a', { addresses: [A, B] })] },
      { host: 'cmp-2', types: [type('a', { addresses: [B, A] })] },
      { host: 'cmp-3', types: [type('b', { addresses: [A, B] })] },
    ])
    expect(groups.map(({ hosts }) => hosts)).toEqual([['cmp-2', 'cmp-10'], ['cmp-3']])
  })
})

describe('the difference of two layouts', () => {
  const texts = (before: MdevLayout | null, after: MdevLayout): string[] =>
    diffLayouts(before, after).map(({ typeId, text }) => `${typeId}: ${text}`)

  it('is nothing for the same, in any order and case', () => {
    const before = layout(type('a', { addresses: ['0000:AF:00.0', A] }), type('b'))
    const after = layout(type('b'), type('a', { addresses: [A, '0000:af:00.0'] }))
    expect(texts(before, after)).toEqual([])
  })

  it('names types and addresses that come and go, and other values', () => {
    const before = layout(type('a', { addresses: [A, B] }), type('c'))
    const after = layout(
      type('a', { addresses: [A], maxInstances: 4 }),
      type('b', { addresses: [B], mdevClass: 'CUSTOM_X' }),
    )
    expect(texts(before, after)).toEqual([
      `a: ${B} is removed`,
      'a: max_instances is 4',
      `b: the type is added for ${B}`,
      'c: the type is removed',
    ])
    expect(texts(layout(type('a', { maxInstances: 4 })), layout(type('a', { addresses: [A] })))).toEqual([
      `a: the type is now for ${A}`,
      'a: max_instances 4 is removed',
    ])
    expect(texts(null, layout(type('a')))).toEqual([
      'a: the type is added for all parents that no type lists',
    ])
  })
})
