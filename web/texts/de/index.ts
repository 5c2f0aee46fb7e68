/**
 * Der ganze deutsche Katalog, nach Bereichen, wie der englische. Wir sagen „du“, kurz und sachlich, ohne Ausrufezeichen.
 *
 * Glossar, damit ein Ding überall gleich heißt:
 *
 * | Englisch          | Deutsch                                                      |
 * | ----------------- | ------------------------------------------------------------ |
 * | crawl             | der Crawl, die Crawls; crawlen                               |
 * | sitemap           | die Sitemap                                                  |
 * | search            | die Suche                                                    |
 * | run, job          | der Auftrag; der Lauf nur, wo es um einen einzelnen geht     |
 * | activity log      | das Protokoll                                                |
 * | dashboard         | das Dashboard                                                |
 * | team, member      | das Team, das Mitglied                                       |
 * | owner             | Eigentümer                                                   |
 * | API key           | der API-Schlüssel                                            |
 * | credits           | die Credits                                                  |
 * | plan              | der Tarif                                                    |
 * | subscription      | das Abonnement                                               |
 * | usage             | die Nutzung                                                  |
 * | settings          | die Einstellungen                                            |
 * | preset            | die Vorlage                                                  |
 * | schedule          | der Zeitplan, die Zeitpläne                                  |
 * | URL, start URL    | die URL, die URLs, die Start-URL; Adresse nur bei E-Mail, IP |
 * | depth             | die Tiefe                                                    |
 * | page              | die Seite; site: die Website                                 |
 * | outcome, result   | der Ausgang (einer URL), das Ergebnis (eines Auftrags)       |
 * | proxy             | der Proxy, die Proxys                                        |
 * | webhook, delivery | der Webhook, die Zustellung                                  |
 * | retention         | die Aufbewahrung                                             |
 * | sign in, sign out | anmelden, abmelden                                           |
 * | email             | die E-Mail; die Adresse heißt E-Mail-Adresse                 |
 * | plugin            | das Plugin                                                   |
 * | finished, ended   | fertig, beendet (auch fehlgeschlagen oder abgebrochen)       |
 */
export * as activityDetails from './activity-details.ts'
export * as activity from './activity.ts'
export * as choices from './choices.ts'
export * as client from './client.ts'
export * as code from './code.ts'
export * as columns from './columns.ts'
export * as consent from './consent.ts'
export * as crawlBase from './crawl-base.ts'
export * as crawlDetails from './crawl-details.ts'
export * as crawlForm from './crawl-form.ts'
export * as crawlOverview from './crawl-overview.ts'
export * as crawlPages from './crawl-pages.ts'
export * as crawlProgress from './crawl-progress.ts'
export * as crawlRows from './crawl-rows.ts'
export * as crawl from './crawl.ts'
export * as deleteRuns from './delete-runs.ts'
export * as downloads from './downloads.ts'
export * as home from './home.ts'
export * as install from './install.ts'
export * as jobs from './jobs.ts'
export * as kinds from './kinds.ts'
export * as layout from './layout.ts'
export * as lists from './lists.ts'
export * as missingRun from './missing-run.ts'
export * as models from './models.ts'
export * as navigation from './navigation.ts'
export * as nouns from './nouns.ts'
export * as outcomes from './outcomes.ts'
export * as ownSearch from './own-search.ts'
export * as pageOptions from './page-options.ts'
export * as pageTexts from './page-texts.ts'
export * as pageTools from './page-tools.ts'
export * as page from './page.ts'
export * as palette from './palette.ts'
export * as passwords from './passwords.ts'
export * as plans from './plans.ts'
export * as playground from './playground.ts'
export * as pluginForm from './plugin-form.ts'
export * as plugins from './plugins.ts'
export * as profile from './profile.ts'
export * as providers from './providers.ts'
export * as proxies from './proxies.ts'
export * as reference from './reference.ts'
export * as routes from './routes.ts'
export * as runFields from './run-fields.ts'
export * as runStatus from './run-status.ts'
export * as run from './run.ts'
export * as samples from './samples.ts'
export * as schedules from './schedules.ts'
export * as searchRun from './search-run.ts'
export * as search from './search.ts'
export * as session from './session.ts'
export * as settings from './settings.ts'
export * as site from './site.ts'
export * as sitemap from './sitemap.ts'
export * as storedPage from './stored-page.ts'
export * as switcher from './switcher.ts'
export * as system from './system.ts'
export * as table from './table.ts'
export * as teams from './teams.ts'
export * as ui from './ui.ts'
export * as usage from './usage.ts'
export * as webhooks from './webhooks.ts'
