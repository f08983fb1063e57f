import { execFileSync } from 'node:child_process'
import { licenceOf } from './licences'
import { type LockedPackage, root } from './read-lockfile'

type Component = { name: string; version: string; type: string; licenses?: unknown[] }
type Sbom = { bomFormat: string; metadata: { component: Component }; components: Component[] }

const NPM_SBOM = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']

const nameOf = ({ name, version }: { name: string; version?: string }) => `${name}@${version}`

/** What npm makes of the lockfile, with the product's name in place of its folder's, and each package's licence. */
export const makeSbom = (product: string, packages: readonly LockedPackage[]): Sbom => {
  const text = execFileSync('npm', NPM_SBOM, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const sbom = JSON.parse(text) as Sbom
  const licences = new Map(packages.map((one) => [nameOf(one), licenceOf(one)]))
  const withLicence = (component: Component): Component => {
    const licence = licences.get(nameOf(component))
    if (component.licenses?.length || !licence) return component
    return { ...component, licenses: [{ expression: licence }] }
  }
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...sbom.metadata.component, name: product } },
    components: sbom.components.map(withLicence),
  }
}
