import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { buildNovaConfig } from '../../testing/build-inventory'
import { checkLayout } from './check-layout'
import { CONFIG_DEPLOYMENTS, type ConfigDeployment, type ConfigText } from './config-text'
import { canonicalLayout, layoutOfConfig, type MdevLayout } from './mdev-layout'
import { renderConfig } from './render-config'

type Sections = Record<string, Record<string, string>>

/** The same layout as in the seed's OpenStackDeployment. */
const SEED: MdevLayout = {
  host: 'cmp-1',
  types: [
    {
      typeId: 'nvidia-319',
      addresses: ['0000:18:00.0', '0000:19:00.0', '0000:35:00.0', '0000:36:00.0'],
      mdevClass: null,
      maxInstances: null,
    },
    {
      typeId: 'nvidia-320',
      addresses: ['0000:e7:00.0', '0000:e8:00.0', '0000:f4:00.0', '0000:f5:00.0'],
      mdevClass: null,
      maxInstances: null,
    },
  ],
}

const one = (host: string, typeId: string): MdevLayout => ({
  host,
  types: [{ typeId, addresses: null, mdevClass: null, maxInstances: null }],
})

const layoutOfIni = (host: string, text: string): MdevLayout =>
  layoutOfConfig(host, buildNovaConfig({ '/etc/nova/nova.conf.d/x.conf': text }))

/** What nova.conf holds once a tool has written these sections. */
const layoutOfSections = (host: string, sections: Sections): MdevLayout => {
  const lines = Object.entries(sections).flatMap(([name, options]) => [
    `[${name}]`,
    ...Object.entries(options).map(([option, value]) => `${option} = ${value}`),
  ])
  return layoutOfIni(host, lines.join('\n'))
}

/** As readers of either version of YAML take it: Ansible's and Kubernetes' tools differ. */
const readYaml = (text: string): unknown => {
  const [older, newer] = [parse(text, { version: '1.1' }), parse(text, { version: '1.2' })]
  expect(older).toEqual(newer)
  return newer
}

const hostsOfPath = (path: string, pattern: RegExp): string[] =>
  path.split('\n').map((line) => pattern.exec(line)?.[1] ?? '')

/** Hosts with what each text gives them; an OpenStackDeployment names labels, whose hosts stand in the notes. */
const READERS: Record<ConfigDeployment, (text: ConfigText) => MdevLayout[]> = {
  'nova-conf': ({ text, title }) =>
    title
      .replace(/^Drop-in of /, '')
      .split(/, | and /)
      .map((host) => layoutOfIni(host, text)),
  'kolla-ansible': ({ text, path }) =>
    hostsOfPath(path, /nova\/([^/]+)\/nova\.conf$/).map((host) => layoutOfIni(host, text)),
  'openstack-ansible': ({ text, path }) => {
    const { nova_nova_conf_overrides: sections } = readYaml(text) as { nova_nova_conf_overrides: Sections }
    return hostsOfPath(path, /host_vars\/(.+)\.yml$/).map((host) => layoutOfSections(host, sections))
  },
  'openstack-helm': ({ text }) => {
    const values = readYaml(text) as {
      conf: { overrides: { nova_compute: { hosts: { name: string; conf: { nova: Sections } }[] } } }
    }
    return values.conf.overrides.nova_compute.hosts.map(({ name, conf }) => layoutOfSections(name, conf.nova))
  },
  mosk: ({ text, notes }) => {
    const { kind, spec } = readYaml(text) as {
      kind: string
      spec: {
        nodes?: Record<
          string,
          { services: { compute: { nova: { nova_compute: { values: { conf: { nova: Sections } } } } } } }
        >
      }
    }
    expect(kind).toBe('OpenStackDeployment')
    return Object.entries(spec.nodes ?? {}).flatMap(([label, node]) => {
      const [key, value] = label.split('::')
      const note = notes.find((each) => each.includes(` ${key}=${value} `)) ?? ''
      const hosts = /label node (.*?) sliceboard-vgpu=/.exec(note)?.[1]?.split(' ') ?? []
      const { conf } = node.services.compute.nova.nova_compute.values
      return hosts.map((host) => layoutOfSections(host, conf.nova))
    })
  },
  juju: ({ text, title }) => {
    const mappings = readYaml(text) as Record<string, string[]>
    return title
      .replace(/^vgpu-device-mappings of /, '')
      .split(/, | and /)
      .map((host) => ({
        host,
        types: Object.entries(mappings).map(([typeId, addresses]) => ({
          typeId,
          addresses,
          mdevClass: null,
          maxInstances: null,
        })),
      }))
  },
}

const byHost = (layouts: MdevLayout[]) =>
  layouts.map(({ host, types }) => ({ host, types })).sort((a, b) => (a.host < b.host ? -1 : 1))

const readBack = (deployment: ConfigDeployment, layouts: MdevLayout[], release = 30) =>
  byHost(renderConfig({ deployment, layouts, release }).flatMap(READERS[deployment]))

describe('the texts of every deployment', () => {
  it.each(CONFIG_DEPLOYMENTS)('of %s read back as the requested layouts', (deployment) => {
    const other = { ...SEED, host: 'cmp-2' }
    const third: MdevLayout = {
      host: 'cmp-3',
      types: SEED.types.map((type) => ({ ...type, typeId: type.typeId.replace('3', '5') })),
    }
    const layouts = [SEED, other, third]
    expect(readBack(deployment, layouts)).toEqual(byHost(layouts))
    expect(readBack(deployment, layouts, 23)).toEqual(byHost(layouts))
  })

  const address = fc
    .tuple(fc.integer({ min: 0, max: 255 }), fc.integer({ min: 0, max: 31 }), fc.integer({ min: 0, max: 7 }))
    .map(([bus, slot, fn]) => {
      const hex = (value: number): string => value.toString(16).padStart(2, '0')
      return `0000:${hex(bus)}:${hex(slot)}.${fn}`
    })

  /** Layouts that nova-compute takes: addresses once, a default at the most, bounds and classes where they may be. */
  const layouts = fc
    .array(
      fc.record({
        addresses: fc.uniqueArray(address, { minLength: 3, maxLength: 12 }),
        ids: fc.uniqueArray(fc.integer({ min: 1, max: 9999 }), { minLength: 3, maxLength: 3 }),
        hasDefault: fc.boolean(),
        mdevClass: fc.constantFrom(null, 'VGPU', 'CUSTOM_A40_4Q'),
        maxInstances: fc.option(fc.integer({ min: 1, max: 1000 })),
      }),
      { minLength: 1, maxLength: 3 },
    )
    .map((wishes) =>
      wishes.map(({ addresses, ids, hasDefault, mdevClass, maxInstances }, index): MdevLayout => {
        const [first, ...rest] = ids.map((id) => `nvidia-${id}`)
        const parts = [addresses.slice(0, 1), addresses.slice(1)]
        return {
          host: `cmp-${index}`,
          types: [
            {
              typeId: first ?? '',
              addresses: hasDefault ? null : (parts[0] ?? []),
              mdevClass: null,
              maxInstances,
            },
            { typeId: rest[0] ?? '', addresses: parts[1] ?? [], mdevClass, maxInstances: null },
          ],
        }
      }),
    )

  it.each(CONFIG_DEPLOYMENTS.filter((deployment) => deployment !== 'juju'))(
    'of %s lose nothing of any layout',
    (deployment) => {
      fc.assert(
        fc.property(layouts, (wished) => {
          expect(wished.flatMap((layout) => checkLayout(layout, 30))).toEqual([])
          expect(readBack(deployment, wished)).toEqual(byHost(wished))
        }),
        { numRuns: 60 },
      )
    },
  )

  it('never hold an address that an older reader of YAML takes for a number', () => {
    const single: MdevLayout = {
      host: 'cmp-1',
      types: [{ typeId: 'nvidia-319', addresses: ['0000:18:00.0'], mdevClass: null, maxInstances: 12 }],
    }
    expect(readBack('openstack-ansible', [single])).toEqual([single])
    expect(parse('a: 0000:18:00.0', { version: '1.1' })).toEqual({ a: 1080 })
  })

  it('are written in lower case', () => {
    const upper = { ...SEED, types: [{ ...SEED.types[0], addresses: ['0000:AF:00.0'] }] } as MdevLayout
    for (const deployment of CONFIG_DEPLOYMENTS)
      expect(readBack(deployment, [upper])).toEqual([{ host: 'cmp-1', types: canonicalLayout(upper).types }])
  })

  it('are refused with the sentence of what nova-compute would refuse', () => {
    const wrong = { ...SEED, types: [...SEED.types, ...SEED.types] }
    for (const deployment of CONFIG_DEPLOYMENTS)
      expect(() => renderConfig({ deployment, layouts: [wrong], release: 30 })).toThrow(
        'cmp-1: nvidia-319 is listed twice. Put its addresses into one list.',
      )
  })
})

describe('names of options', () => {
  const textOf = (release: number): string =>
    renderConfig({ deployment: 'nova-conf', layouts: [SEED], release })[0]?.text ?? ''

  it('are the old ones before Xena', () => {
    expect(textOf(23)).toContain('enabled_vgpu_types = nvidia-319,nvidia-320')
    expect(textOf(23)).toContain('[vgpu_nvidia-320]')
    expect(textOf(24)).toContain('enabled_mdev_types = nvidia-319,nvidia-320')
    expect(textOf(24)).toContain('[mdev_nvidia-320]')
  })
})

describe('MOSK', () => {
  const titles = (layouts: MdevLayout[]): string[] =>
    renderConfig({ deployment: 'mosk', layouts, release: 22 }).map(({ title }) => title)

  it('gets the seed’s text for the whole cloud where one type without addresses is all there is', () => {
    const [text] = renderConfig({ deployment: 'mosk', layouts: [one('cmp-1', 'nvidia-222')], release: 22 })
    expect(readYaml(text?.text ?? '')).toMatchObject({
      spec: {
        services: {
          compute: {
            nova: { values: { conf: { nova: { devices: { enabled_vgpu_types: 'nvidia-222' } } } } },
          },
        },
      },
    })
  })

  it('gets node overrides alone where addresses or hosts differ', () => {
    expect(titles([one('cmp-1', 'nvidia-222'), one('cmp-2', 'nvidia-223')])).toEqual([
      'Node overrides for cmp-1 and cmp-2',
    ])
    expect(titles([SEED])).toEqual(['Node overrides for cmp-1'])
  })
})

describe('the charm', () => {
  it('gets explicit values for defaults where the parents are known, and states what it cannot express', () => {
    const layout: MdevLayout = {
      host: 'cmp-1',
      types: [
        { typeId: 'nvidia-1', addresses: null, mdevClass: null, maxInstances: 8 },
        { typeId: 'nvidia-2', addresses: ['0000:18:00.0'], mdevClass: 'CUSTOM_X', maxInstances: null },
      ],
      parents: ['0000:18:00.0', '0000:19:00.0'],
    }
    const [text] = renderConfig({ deployment: 'juju', layouts: [layout], release: 30 })
    expect(readYaml(text?.text ?? '')).toEqual({ 'nvidia-1': ['0000:19:00.0'], 'nvidia-2': ['0000:18:00.0'] })
    expect(text?.notes.join(' ')).toMatch(/no max_instances.*no mdev_class/)
    const { parents: _, ...unknown } = layout
    const [short] = renderConfig({ deployment: 'juju', layouts: [unknown], release: 30 })
    expect(short?.notes.join(' ')).toContain('no default type')
  })

  it('needs an application per layout', () => {
    const texts = renderConfig({
      deployment: 'juju',
      layouts: [SEED, { ...SEED, host: 'cmp-2' }, { ...one('cmp-3', 'nvidia-1'), parents: [] }],
      release: 30,
    })
    expect(texts.map(({ title }) => title)).toEqual([
      'vgpu-device-mappings of cmp-1 and cmp-2',
      'vgpu-device-mappings of cmp-3',
    ])
    expect(texts[0]?.notes[1]).toContain(
      'These hosts need a separate application, because the option applies to all units. Deploy nova-compute-nvidia-vgpu once per layout, each related to a nova-compute application of these hosts only.',
    )
  })
})
