import { count, number } from './language.ts'
import { rich } from '../rich.ts'
import type { Part } from '../rich.ts'
export const folderOfTheDiagram = 'Ordner des Diagramms'
export const diagramOfTheSite = 'Diagramm der Website'
export const pages = (n: number) => count(n, { one: 'Seite', other: 'Seiten' })
export const entries = (n: number) => count(n, { one: 'Eintrag', other: 'Einträge' })
export const more = (n: number) => `${number(n)} weitere`
export const folder = (name: string, pages: string | number) => `${name}, ${pages}, Ordner`
export const allHosts = 'Alle Hosts'
export const searchInTheTree = 'Im Baum suchen'
export const expandAll = 'Alles ausklappen'
export const collapseAll = 'Alles einklappen'
export const shown = 'Ansicht'
export const tree = 'Baum'
export const diagram = 'Diagramm'
export const nothingMatchesTheSearch = 'Nichts passt zur Suche'
export const clickABranchToOpenOr = (nodes: Part) =>
  rich`${nodes}. Ein Klick auf einen Zweig öffnet oder schließt ihn; Zahlen zählen die Seiten darunter; ein Titel öffnet seine Seite. Ein Block des Diagramms ist so hoch wie sein Anteil an den Seiten und führt in seinen Ordner.`
export const site = 'Website'
export const query = 'query'
export const openPage = 'Seite öffnen'
export const pagesBelow = 'Seiten darunter'
export const backToTheFolderAbove = (name: string, pages: string | number) => `${name}, ${pages}; zurück zum Ordner darüber`
