/** Deutsch für die Formulare der eingebauten Plugins, nach dem englischen Wortlaut. Eigene Plugins bleiben, wie sie sind. */
export const PLUGINS: Record<string, string> = {
  'Structured data': 'Strukturierte Daten',
  'Keeps the data that a page provides for machines: products, articles, recipes, events and the like, as one JSON value beside the text.':
    'Speichert, was eine Seite Maschinen über sich mitteilt: Produkte, Artikel, Rezepte, Veranstaltungen und Ähnliches, als ein JSON neben dem Text.',
  'Data in scripts of the page': 'Daten in Skripten der Seite',
  'Data that is marked up in the text': 'Daten, die im Text selbst ausgezeichnet sind',
  'Open Graph and Twitter cards': 'Open Graph und Twitter-Cards',
  'What a link to the page looks like where it is shared': 'Wie ein Link auf die Seite aussieht, wenn ihn jemand teilt',
  'Only these types': 'Nur diese Typen',
  'Such as Product or Article. Empty keeps items of every type; JSON-LD and microdata only.':
    'Etwa Product oder Article. Leer heißt: alle Typen. Gilt nur für JSON-LD und Microdata.',
  Type: 'Typ',
  'LLM extraction': 'Extraktion mit einem Sprachmodell',
  'A language model reads each page and answers with data in the shape of your schema.':
    'Ein Sprachmodell liest jede Seite und antwortet mit Daten in der Form deines Schemas.',
  'LLM Model': 'Sprachmodell',
  'Select a model': 'Modell wählen',
  'What to extract, in words': 'Was extrahiert wird, in Worten',
  'The name and the price of the product': 'Name und Preis des Produkts',
  'Extractor Schema': 'Schema',
  'A JSON Schema that every answer must fit. What it does not name is dropped.':
    'Ein JSON-Schema, dem jede Antwort entsprechen muss. Was es nicht nennt, entfällt.',
  'Most tokens': 'Höchstens so viele Tokens',
  'Of the whole crawl, read and written. Further pages are kept without extraction.':
    'Des ganzen Crawls, gelesen und geschrieben. Weitere Seiten bleiben ohne Extraktion.',
  'As many as the server allows': 'So viele, wie der Server erlaubt',
  'Most seconds for one page': 'Höchstens so viele Sekunden je Seite',
  'Most that the crawl may cost': 'So viel darf der Crawl höchstens kosten',
  'In the currency of the prices. Further pages are kept without extraction.':
    'In der Währung der Preise. Weitere Seiten bleiben ohne Extraktion.',
}
