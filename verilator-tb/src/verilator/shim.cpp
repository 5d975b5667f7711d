// C interface of one Verilated model, compiled together with it into a shared object.
//
// `ports.inc` is generated beside this file: one FANTREE_PORT(name, input, width, member) a port.
// Every instance owns its VerilatedContext, so that models in one process share neither time nor
// random numbers nor coverage. Exceptions never cross the interface: calls that can fail return
// false and leave the text in `fantree_error`.

#include "Vmodel.h"

#include <cstdint>
#include <exception>
#include <memory>
#include <string>

#ifdef FANTREE_TRACE
#include "verilated_fst_c.h"
#endif
#ifdef FANTREE_COVERAGE
#include "verilated_cov.h"
#endif

#define FANTREE_EXPORT extern "C" __attribute__((visibility("default")))

namespace {

struct Fatal final : std::exception {
    std::string message;
    explicit Fatal(std::string text) : message{std::move(text)} {}
    const char* what() const noexcept override { return message.c_str(); }
};

std::string at(const char* file, int line, const std::string& text) {
    if (!file || !*file) return text;
    return std::string{file} + ":" + std::to_string(line) + ": " + text;
}

struct Port {
    const char* name;
    uint32_t input;
    uint32_t width;
};

const Port ports[] = {
#define FANTREE_PORT(name, input, width, member) {name, input, width},
#include "ports.inc"
#undef FANTREE_PORT
    {nullptr, 0, 0},
};

// Members are destroyed from the last to the first: the wave before the model, the model before
// its context.
struct Instance {
    VerilatedContext context;
    std::unique_ptr<Vmodel> model;
#ifdef FANTREE_TRACE
    std::unique_ptr<VerilatedFstC> wave;
#endif
    std::string error;
};

template <typename Action>
bool guarded(Instance& instance, Action action) {
    Verilated::threadContextp(&instance.context);
    try {
        action();
        return true;
    } catch (const std::exception& failure) {
        instance.error = failure.what();
        return false;
    }
}

}  // namespace

// The runtime is built with VL_USER_FATAL and VL_USER_FINISH: its own versions end the process.
void vl_fatal(const char* file, int line, const char*, const char* message) {
    throw Fatal{at(file, line, message)};
}

void vl_finish(const char*, int, const char*) { Verilated::threadContextp()->gotFinish(true); }

FANTREE_EXPORT const Port* fantree_ports() { return ports; }

// `reset` is Verilator's: 0 starts every variable at zeros, 1 at ones, 2 at random from `seed`.
FANTREE_EXPORT Instance* fantree_new(int reset, int seed) {
    auto instance = std::make_unique<Instance>();
    const bool made = guarded(*instance, [&] {
        instance->context.randReset(reset);
        instance->context.randSeed(seed);
#ifdef FANTREE_TRACE
        instance->context.traceEverOn(true);
#endif
        instance->model = std::make_unique<Vmodel>(&instance->context, "TOP");
    });
    return made ? instance.release() : nullptr;
}

// Fills `addresses` in the order of `fantree_ports`.
FANTREE_EXPORT void fantree_addresses(Instance* instance, void** addresses) {
    Vmodel& model = *instance->model;
#define FANTREE_PORT(name, input, width, member) *addresses++ = &model.member;
#include "ports.inc"
#undef FANTREE_PORT
}

FANTREE_EXPORT bool fantree_eval(Instance* instance) {
    return guarded(*instance, [&] { instance->model->eval(); });
}

FANTREE_EXPORT void fantree_time(Instance* instance, uint64_t time) {
    instance->context.time(time);
}

FANTREE_EXPORT bool fantree_finished(Instance* instance) {
    return instance->context.gotFinish();
}

FANTREE_EXPORT const char* fantree_error(Instance* instance) { return instance->error.c_str(); }

FANTREE_EXPORT bool fantree_final(Instance* instance) {
    return guarded(*instance, [&] { instance->model->final(); });
}

FANTREE_EXPORT void fantree_delete(Instance* instance) {
    Verilated::threadContextp(&instance->context);
    delete instance;
}

#ifdef FANTREE_TRACE
FANTREE_EXPORT bool fantree_trace_open(Instance* instance, const char* path) {
    return guarded(*instance, [&] {
        constexpr int all_levels = 99;
        instance->wave = std::make_unique<VerilatedFstC>();
        instance->model->trace(instance->wave.get(), all_levels);
        instance->wave->open(path);
        if (!instance->wave->isOpen()) throw Fatal{"the wave file cannot be written"};
    });
}

FANTREE_EXPORT bool fantree_trace_dump(Instance* instance) {
    return guarded(*instance, [&] { instance->wave->dump(instance->context.time()); });
}

FANTREE_EXPORT bool fantree_trace_close(Instance* instance) {
    return guarded(*instance, [&] {
        instance->wave->close();
        instance->wave.reset();
    });
}
#endif

#ifdef FANTREE_COVERAGE
FANTREE_EXPORT bool fantree_coverage_write(Instance* instance, const char* path) {
    return guarded(*instance, [&] { instance->context.coveragep()->write(path); });
}
#endif
