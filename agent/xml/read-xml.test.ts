import fc from 'fast-check'
import { XMLParser, XMLValidator } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import {
  attributeOf,
  attributesOf,
  childNamed,
  childrenNamed,
  localName,
  readXml,
  type XmlElement,
} from './read-xml'

const errorOf = (xml: string): { kind: string; message: string } => {
  try {
    readXml(xml)
  } catch (err) {
    if (err instanceof Error && 'kind' in err) return { kind: String(err.kind), message: err.message }
    throw err
  }
  throw new Error(`no error for ${xml}`)
}

describe('well-formed XML', () => {
  test('elements, attributes in both quotes, text, comments, declarations and CDATA are read', () => {
    const root = readXml(`<?xml version="1.0"?>
      <!-- WARNING: <b>not</b> an element -->
      <domain type='kvm' id = "3">
        <name>a&amp;b &lt;c&gt; &#x41;&#66; &quot;&apos;</name><empty/>
        <description><![CDATA[<devices> & ]]></description>
        <nova:instance xmlns:nova="http://example.org/1.1"/>
      </domain>`)
    expect(root.name).toBe('domain')
    expect([...attributesOf(root)]).toEqual([
      ['type', 'kvm'],
      ['id', '3'],
    ])
    expect(childNamed(root, 'name')?.text).toBe(`a&b <c> AB "'`)
    expect(childNamed(root, 'description')?.text).toBe('<devices> & ')
    expect(childrenNamed(root, 'devices')).toEqual([])
    const instance = childNamed(root, 'nova:instance')
    expect(instance && localName(instance)).toBe('instance')
    expect(attributeOf(instance, 'xmlns:nova')).toBe('http://example.org/1.1')
    expect(attributeOf(root, 'absent')).toBeNull()
  })

  test('a quoted ">" does not end a tag', () => {
    expect(attributeOf(readXml('<a b="x>y" c=\'"\'/>'), 'b')).toBe('x>y')
  })
})

describe('what is refused', () => {
  test.each([
    ['<!DOCTYPE domain><domain/>', 'it declares a document type'],
    ['<domain><!doctype x></domain>', 'it declares a document type'],
    ['<domain><!ENTITY a "b"></domain>', 'it declares a document type'],
    ['<domain>&secret;</domain>', 'it declares an entity'],
    ['<domain>&constructor;</domain>', 'it declares an entity'],
  ])('%s', (xml, message) => {
    expect(errorOf(xml)).toEqual({ kind: 'refused', message })
  })

  test.each([
    ['', 'it is empty'],
    ['<domain><name>a</na', 'it ends in the middle'],
    ['<domain><name>a</name>', 'it ends in the middle'],
    ['<domain><!-- never closed', 'it ends in the middle'],
    ['<domain><![CDATA[x</domain>', 'it ends in the middle'],
    ['<a></b>', '</b> closes nothing that is open'],
    ['<a></a></a>', '</a> closes nothing that is open'],
    ['<a/><b/>', 'it has two root elements'],
    ['<a/>text', 'it has text outside its root element'],
    ['<a b=c/>', 'it has a "<" that begins no tag'],
    ['<a b="<"/>', 'it has a "<" that begins no tag'],
    ['<a>1 & 2</a>', 'it has a bare "&"'],
    ['<a>&#0;</a>', '&#0; is no character'],
    ['<a>&#x110000;</a>', '&#x110000; is no character'],
    [`${'<a>'.repeat(65)}${'</a>'.repeat(65)}`, 'it is nested deeper than 64 elements'],
  ])('%s is malformed', (xml, message) => {
    expect(errorOf(xml)).toEqual({ kind: 'malformed', message })
  })

  test('two attributes of one name are malformed when they are read', () => {
    expect(() => attributesOf(readXml('<a b="1" b="2"/>'))).toThrow('<a> has two attributes "b"')
  })

  test('a long run of white space or attributes does not make it backtrack (the test would run into its timeout)', () => {
    expect(errorOf(`<a${' '.repeat(500_000)}`).kind).toBe('malformed')
    expect(errorOf(`<a ${'b="c" '.repeat(100_000)}`).kind).toBe('malformed')
    expect(errorOf('<'.repeat(500_000)).kind).toBe('malformed')
  })
})

describe('held against fast-xml-parser', () => {
  const name = fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_.-]{0,8}$/).filter((text) => !/^xml/i.test(text))
  const words = fc.stringMatching(/^[A-Za-z0-9 äé/:.,]{1,12}$/).filter((text) => text.trim() !== '')
  type Node = { name: string; attributes: [string, string][]; content: Node[] | string }
  const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
    tree: fc.record({
      name,
      attributes: fc.uniqueArray(fc.tuple(name, words), { maxLength: 3, selector: ([key]) => key }),
      content: fc.oneof({ depthSize: 'small' }, words, fc.array(tie('tree'), { maxLength: 4 })),
    }),
  }))
  const write = (node: Node): string => {
    const attributes = node.attributes.map(([key, value]) => ` ${key}="${value}"`).join('')
    const inner = typeof node.content === 'string' ? node.content : node.content.map(write).join('\n  ')
    return `<${node.name}${attributes}>${inner}</${node.name}>`
  }

  type Ordered = Record<string, unknown>
  const parser = new XMLParser({
    preserveOrder: true,
    ignoreAttributes: false,
    attributeNamePrefix: '',
    parseTagValue: false,
    trimValues: false,
  })
  const shapeOf = (nodes: Ordered[]): unknown[] =>
    nodes.flatMap((node) => {
      const key = Object.keys(node).find((candidate) => candidate !== ':@' && candidate !== '#text')
      if (key === undefined) return []
      const children = node[key] as Ordered[]
      const text = children
        .map((child) => (typeof child['#text'] === 'string' ? child['#text'] : ''))
        .join('')
      return [[key, { ...(node[':@'] as object | undefined) }, text.trim(), shapeOf(children)]]
    })
  const ownShape = (element: XmlElement): unknown[] => [
    element.name,
    Object.fromEntries(attributesOf(element)),
    element.text.trim(),
    element.children.map(ownShape),
  ]

  test('any document gives the same elements, attributes and texts', () => {
    fc.assert(
      fc.property(tree, (node) => {
        const xml = write(node)
        expect(ownShape(readXml(xml))).toEqual(shapeOf(parser.parse(xml))[0])
      }),
      { numRuns: 200 },
    )
  })

  test('a document that was cut anywhere is malformed to both', () => {
    fc.assert(
      fc.property(tree, fc.nat(), (node, at) => {
        const xml = write(node)
        const cut = xml.slice(0, at % xml.length)
        expect(() => readXml(cut)).toThrow()
        expect(cut === '' || XMLValidator.validate(cut) !== true).toBe(true)
      }),
      { numRuns: 200 },
    )
  })
})
