import { describe, expect, test } from 'vitest'
import { parseOsloConfig } from './oslo-config'

const values = (text: string) =>
  parseOsloConfig(text).options.map(
    ({ section, name, value }) => `[${section}] ${name}=${JSON.stringify(value)}`,
  )

/** Every expectation was compared with oslo_config/iniparser.py 9.0.0, together with 20,000 random files. */
describe('as oslo.config reads it', () => {
  test('equals sign and colon, the first of them divides', () => {
    expect(values('[a]\nx = 1\ny: 2\nz=1:2\nw:1=2\nurl = http://host:80/')).toEqual([
      '[a] x="1"',
      '[a] y="2"',
      '[a] z="1:2"',
      '[a] w="1=2"',
      '[a] url="http://host:80/"',
    ])
  })

  test('lines that begin with white space continue the value, comments among them too', () => {
    expect(
      values('[a]\nx = nvidia-1,\n    nvidia-2 ,\n\tnvidia-3\n  # not a comment\n# a comment\ny = 1'),
    ).toEqual(['[a] x="nvidia-1,\\nnvidia-2 ,\\nnvidia-3\\n# not a comment"', '[a] y="1"'])
  })

  test('a blank line ends a value', () => {
    const { options, errors } = parseOsloConfig('[a]\nx = 1\n\n  2\n')
    expect(options).toEqual([{ section: 'a', name: 'x', value: '1', line: 2 }])
    expect(errors).toEqual([{ line: 4, message: 'an indented line continues nothing' }])
  })

  test('# and ; are comments at the start of a line only', () => {
    expect(values('[a]\n#x = 1\n;y = 2\nz = 3 # three\n')).toEqual(['[a] z="3 # three"'])
  })

  test('one pair of equal quotes is removed from the first line', () => {
    expect(values(`[a]\nx = "1"\ny = 'it''s'\nz = "1'\nw = "\nv = "1"\n  "2"`)).toEqual([
      '[a] x="1"',
      `[a] y="it''s"`,
      `[a] z="\\"1'"`,
      '[a] w=""',
      '[a] v="1\\n\\"2\\""',
    ])
  })

  test('several assignments of one name are all read, in order, with their lines', () => {
    const text = '[pci]\ndevice_spec = 1\n[a]\n[pci]\ndevice_spec = 2\r\ndevice_spec = 3\rdevice_spec = 4'
    expect(parseOsloConfig(text).options.map(({ value, line }) => [value, line])).toEqual([
      ['1', 2],
      ['2', 5],
      ['3', 6],
      ['4', 7],
    ])
  })

  test('section and option names keep their case', () => {
    expect(values('[Devices]\nEnabled = 1\n[mdev_i915-GVTg_V5_4]\nx=')).toEqual([
      '[Devices] Enabled="1"',
      '[mdev_i915-GVTg_V5_4] x=""',
    ])
  })
})

describe('what oslo.config refuses', () => {
  test.each([
    ['x = 1\n[a]\ny = 2', 1, 'an option precedes the first [section]'],
    ['[a]\ny = 2\npassword', 3, 'a line has neither "=" nor ":"'],
    ['[a]\ny = 2\n= 1', 3, 'an option has no name'],
    ['[a]\ny = 2\n[b', 3, 'a section must end with "]"'],
    ['[a]\ny = 2\n[b] # c', 3, 'a section must end with "]"'],
    ['[a]\ny = 2\n[]', 3, 'a section has no name'],
    ['[a]\n  z\ny = 2', 2, 'an indented line continues nothing'],
  ])('%j: the rest is read all the same', (text, line, message) => {
    const { options, errors } = parseOsloConfig(text)
    expect(errors).toEqual([{ line, message }])
    expect(options.map(({ name }) => name)).toEqual(['y'])
  })

  test('an error never repeats the line, which could be a password', () => {
    const { errors } = parseOsloConfig('[a]\nhunter2\n[hunter2\n=hunter2\n')
    expect(errors).toHaveLength(3)
    expect(JSON.stringify(errors)).not.toContain('hunter2')
  })
})
