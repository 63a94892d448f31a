// SPDX-License-Identifier: BSD-3-Clause
/// scree VERB …: parses the command line and turns errors into one message and an exit code:
/// 0 done, 1 the run failed, 2 bad input, 130 interrupted.
#include <fmt/format.h>

#include <new>

#include "scree/core/errors.hpp"
#include "verbs.hpp"

int main(int argc, char** argv) {
  CLI::App app{"Scree: a laboratory for granular matter.\n"
               "Try:  scree run scenes/column-collapse.toml"};
  app.set_version_flag("--version", "scree " SCREE_VERSION);
  app.require_subcommand(1);
  app.failure_message(CLI::FailureMessage::simple);
  scree::Exit exit;
  scree::add_run(app, exit);
  scree::add_check(app, exit);
  scree::add_new(app, exit);
  scree::add_list(app, exit);
  scree::add_study(app, exit);
  scree::add_reproduce(app, exit);
  scree::add_info(app, exit);
  scree::add_compare(app, exit);
  scree::add_export(app, exit);
  scree::add_fields(app, exit);
  scree::add_discover(app, exit);
  scree::add_bench(app, exit);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const scree::InputError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  } catch (const scree::RunError& error) {
    fmt::print(stderr, "scree: {}\n", error.what());
    return 1;
  } catch (const std::bad_alloc&) {
    fmt::print(stderr, "scree: not enough memory\n");
    return 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "scree: {}\n", error.what());
    return 1;
  }
  return exit.code;
}
