const plain = (text: string): string => text.replaceAll(/[^\w.-]/g, '_')

/** Name without its ending of a file about refused servers: of whom, and of which days. `flavor`, `project`: null is all. */
export const refusedFileName = ({
  cloud,
  flavor,
  project,
  since,
  until,
}: {
  cloud: string
  flavor: string | null
  project: string | null
  /** ISO 8601 UTC. */
  since: string
  until: string
}): string =>
  [
    'sliceboard',
    plain(cloud),
    'refused',
    ...[flavor, project].flatMap((key) => (key === null ? [] : [plain(key) || 'unknown'])),
    since.slice(0, 10),
    until.slice(0, 10),
  ].join('-')
