type Choice = { id: string; problem: string | null }

/** What a form may offer; null: not read. */
type Choices = {
  /** Own images first. */
  images: readonly Choice[] | null
  networks: readonly Choice[] | null
  keyPairs: readonly string[] | null
  securityGroups: readonly { id: string; name: string }[] | null
}

type Suggestion = {
  imageId: string | null
  networkId: string | null
  keyPair: string | null
  securityGroupId: string | null
}

const firstUsable = (choices: readonly Choice[] | null): string | null =>
  choices?.find(({ problem }) => problem === null)?.id ?? null

/** The first choice that works for each, so that the command is complete at once. */
export const suggestChoices = ({ images, networks, keyPairs, securityGroups }: Choices): Suggestion => ({
  imageId: firstUsable(images),
  networkId: firstUsable(networks),
  keyPair: keyPairs?.[0] ?? null,
  securityGroupId:
    (securityGroups?.find(({ name }) => name === 'default') ?? securityGroups?.[0])?.id ?? null,
})

/** `vgpu.a40-4q` → `a40-4q-1`: letters, digits and hyphens, as a host name has them. */
export const suggestServerName = (flavorName: string): string => {
  const label = flavorName
    .toLowerCase()
    .replace(/^v?gpu[.-]/, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40)
  return `${label === '' ? 'server' : label}-1`
}
