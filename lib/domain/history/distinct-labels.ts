type Named = { key: string; label: string }

/** Ids of Keystone are long and differ in their first digits; names from an operator are shown in full. */
const shortKey = (key: string): string => (/^[0-9a-f-]{32,36}$/i.test(key) ? `${key.slice(0, 8)}…` : key)

/**
 * The label of each group, by its key. If several groups have one name (projects of two domains, or a recreated project),
 * the label includes the key: `cfd-lab (7a90f423…)`.
 */
export const distinctLabels = (groups: readonly Named[]): Map<string, string> => {
  const counts = new Map<string, number>()
  for (const { label } of groups) counts.set(label, (counts.get(label) ?? 0) + 1)
  return new Map(
    groups.map(({ key, label }) => [
      key,
      (counts.get(label) ?? 0) > 1 && label !== key ? `${label} (${shortKey(key)})` : label,
    ]),
  )
}
