/** What a generated cloud contains. Servers and findings follow from the hosts. */
export type CloudSize = {
  name: string
  hosts: number
  flavors: number
  servers: number
  projects: number
  aggregates: number
  changes: number
  auditRows: number
  requests: number
}

/** `short` and `double` are for the short form. The hosts of each size are a multiple of the 60 host shapes, so that every size has the same mix. */
export const SIZES = {
  short: {
    name: 'short',
    hosts: 60,
    flavors: 60,
    servers: 400,
    projects: 100,
    aggregates: 15,
    changes: 250,
    auditRows: 2500,
    requests: 100,
  },
  double: {
    name: 'double',
    hosts: 120,
    flavors: 120,
    servers: 800,
    projects: 200,
    aggregates: 30,
    changes: 500,
    auditRows: 5000,
    requests: 200,
  },
  small: {
    name: 'small',
    hosts: 300,
    flavors: 200,
    servers: 2000,
    projects: 500,
    aggregates: 75,
    changes: 1250,
    auditRows: 12_500,
    requests: 500,
  },
  large: {
    name: 'large',
    hosts: 1200,
    flavors: 800,
    servers: 7500,
    projects: 2000,
    aggregates: 300,
    changes: 5000,
    auditRows: 50_000,
    requests: 2000,
  },
} satisfies Record<string, CloudSize>

export type SizeName = keyof typeof SIZES
