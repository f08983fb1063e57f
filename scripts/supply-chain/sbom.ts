import { execFileSync } from 'node:child_process'
import { licenseOf } from './licenses'
import { type LockedPackage, root } from './read-lockfile'

type Component = { name: string; version: string; type: string; licenses?: unknown[] }
type Sbom = { bomFormat: string; metadata: { component: Component }; components: Component[] }

const NPM_SBOM = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only']

const nameOf = ({ name, version }: { name: string; version?: string }) => `${name}@${version}`

/** What npm makes of the lockfile, with the product's name in place of its folder's, and each package's license. */
export const makeSbom = (product: string, packages: readonly LockedPackage[]): Sbom => {
  const text = execFileSync('npm', NPM_SBOM, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  const sbom = JSON.parse(text) as Sbom
  const licenses = new Map(packages.map((one) => [nameOf(one), licenseOf(one)]))
  const withLicense = (component: Component): Component => {
    const license = licenses.get(nameOf(component))
    if (component.licenses?.length || !license) return component
    return { ...component, licenses: [{ expression: license }] }
  }
  return {
    ...sbom,
    metadata: { ...sbom.metadata, component: { ...sbom.metadata.component, name: product } },
    components: sbom.components.map(withLicense),
  }
}
